package io.evenkey.client.move;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of a live move, small enough to look at everything that can happen: two clients, two
 * keys, one mover; every order of their steps, every moment at which one of them can die, be cut
 * off from ZooKeeper for too long, or begin again. What it stands for is in docs/decisions/0012.
 *
 * <p>Key 0 is written by puts, which carry timestamps; key 1 by increments, which do not. A request
 * that is under way when its client dies may still arrive, at any later time, or never.
 */
final class MoveModel {
  /** What the protocol consists of; without any one of them it must fail. */
  enum Guard {
    /** The mover goes on only when every live client has said that it knows the phase. */
    ACKNOWLEDGEMENT,
    /**
     * A client tells its application that a write is done only if it is still known to be alive.
     */
    LEASE_AFTER_WRITE,
    /** Increments wait until every client writes to both tables. */
    INCREMENTS_WAIT,
    /** An increment's result is mirrored only while its client holds the row's lock. */
    LOCKED_MIRROR,
    /**
     * What was counted when its client's lease had ended, as its timestamp says, is not mirrored.
     */
    LEASE_BY_TIMESTAMP,
    /** What is copied never replaces what clients have written with the same timestamp. */
    COPY_LOSES_TIES
  }

  /** What a client does to a key. */
  enum Operation {
    PUT,
    INCREMENT
  }

  /** Phases, as ZooKeeper has them. */
  private static final int SOURCE = 0;

  private static final int JOINING = 1;
  private static final int DUAL = 2;
  private static final int FENCE = 3;
  private static final int READ_TARGET = 4;
  private static final int REVERSED = 5;
  private static final int TARGET = 6;

  /** Where a client is in an operation. */
  private static final int IDLE = 0;

  private static final int FIRST = 1;
  private static final int SECOND = 2;
  private static final int LOCK = 3;
  private static final int APPLY = 4;
  private static final int MIRROR = 5;
  private static final int FINISH = 6;

  // A state is these numbers, one byte each.
  private static final int PHASE = 0;
  private static final int CLOCK = 1;
  private static final int S_PUT = 2;
  private static final int T_PUT = 3;
  private static final int S_COUNT = 4;
  private static final int T_COUNT = 5;
  private static final int T_HAS_COUNT = 6;
  private static final int LOCK_S = 7;
  private static final int LOCK_T = 8;
  private static final int COPIED = 9;
  private static final int COPY_PUT = 10;
  private static final int COPY_COUNT = 11;
  private static final int ACKED_PUT = 12;
  private static final int ACKED_COUNT = 13;
  private static final int ISSUED_COUNT = 14;
  private static final int CLIENTS = 15;

  // Of each client.
  private static final int ALIVE = 0;
  private static final int LIVE_FOR_MOVER = 1;
  private static final int VIEW = 2;
  private static final int AT = 3;
  private static final int NEXT = 4;
  private static final int TS = 5;
  private static final int RESULT = 6;
  private static final int WIDTH = 7;
  private static final int COUNT = 2;

  private static final int NOTHING = -1;

  private final List<List<Operation>> scripts;
  private final Set<Guard> guards;

  private static final Step UNTOLD = new Step(null, "");

  // Who leads to whom, to tell how something came about: only where that is wanted, for its memory.
  private final Map<State, Step> seen = new HashMap<>();
  private final Deque<State> open = new ArrayDeque<>();
  private final boolean traced;
  private boolean finished;

  private record Step(@Nullable State from, String what) {}

  /** A state, compared by its numbers. */
  private static final class State {
    private final byte[] of;

    State(byte[] of) {
      this.of = of;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof State that && Arrays.equals(of, that.of);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(of);
    }
  }

  /**
   * What was found.
   *
   * @param states how many different ones
   * @param finished whether the move came to its end in some of them
   * @param violation how an update is lost, step by step; empty if none ever is
   */
  record Outcome(int states, boolean finished, List<String> violation) {}

  private MoveModel(List<List<Operation>> scripts, Set<Guard> guards, boolean traced) {
    this.scripts = scripts;
    this.guards = guards;
    this.traced = traced;
  }

  /** Looks at everything that can happen while two clients do these operations during a move. */
  static Outcome explore(List<Operation> first, List<Operation> second, Set<Guard> guards) {
    Outcome outcome = new MoveModel(List.of(first, second), guards, false).run();
    return outcome.violation().isEmpty()
        ? outcome
        : new MoveModel(List.of(first, second), guards, true).run();
  }

  /** All guards but one. */
  static Set<Guard> without(Guard guard) {
    Set<Guard> rest = EnumSet.allOf(Guard.class);
    rest.remove(guard);
    return rest;
  }

  private boolean has(Guard guard) {
    return guards.contains(guard);
  }

  private Outcome run() {
    byte[] start = new byte[CLIENTS + COUNT * WIDTH];
    start[CLOCK] = 1;
    start[LOCK_S] = NOTHING;
    start[LOCK_T] = NOTHING;
    start[COPY_PUT] = NOTHING;
    start[COPY_COUNT] = NOTHING;
    for (int c = 0; c < COUNT; c++) {
      start[CLIENTS + c * WIDTH + ALIVE] = 1;
      start[CLIENTS + c * WIDTH + LIVE_FOR_MOVER] = 1;
    }
    State first = new State(start);
    seen.put(first, new Step(null, "start"));
    open.add(first);
    while (!open.isEmpty()) {
      State state = open.poll();
      String wrong = wrong(state.of);
      if (!wrong.isEmpty()) {
        return new Outcome(seen.size(), finished, path(state, wrong));
      }
      finished |= state.of[PHASE] == TARGET;
      for (int c = 0; c < COUNT; c++) {
        client(state, c);
      }
      mover(state);
    }
    return new Outcome(seen.size(), finished, List.of());
  }

  private List<String> path(State to, String wrong) {
    List<String> path = new ArrayList<>(List.of(wrong));
    for (State at = to; at != null; ) {
      Step step = seen.get(at);
      path.add(step.what + "  " + Arrays.toString(at.of));
      at = step.from;
    }
    Collections.reverse(path);
    return path;
  }

  private void go(State from, String what, byte[] next) {
    State state = new State(next);
    if (seen.putIfAbsent(state, traced ? new Step(from, what) : UNTOLD) == null) {
      open.add(state);
    }
  }

  private static int of(byte[] s, int client, int field) {
    return s[CLIENTS + client * WIDTH + field];
  }

  private static void set(byte[] s, int client, int field, int value) {
    s[CLIENTS + client * WIDTH + field] = (byte) value;
  }

  private static boolean isBoth(int view) {
    return view == JOINING || view == DUAL || view == REVERSED;
  }

  private static boolean readsTarget(int view) {
    return view >= READ_TARGET;
  }

  /**
   * What must never be: a client that may read does not find what an application was told is there.
   */
  private static String wrong(byte[] s) {
    for (int c = 0; c < COUNT; c++) {
      if (of(s, c, ALIVE) == 1 && of(s, c, LIVE_FOR_MOVER) == 1) {
        boolean target = readsTarget(of(s, c, VIEW));
        int put = target ? s[T_PUT] : s[S_PUT];
        int count = target ? s[T_COUNT] : s[S_COUNT];
        if (put < s[ACKED_PUT]) {
          return "client " + c + " reads put " + put + ", acknowledged was " + s[ACKED_PUT];
        }
        if (count < s[ACKED_COUNT]) {
          return "client " + c + " reads " + count + ", acknowledged were " + s[ACKED_COUNT];
        }
        if (count > s[ISSUED_COUNT]) {
          return "client " + c + " reads " + count + ", issued were " + s[ISSUED_COUNT];
        }
      }
    }
    if (s[PHASE] == TARGET && (s[T_PUT] < s[ACKED_PUT] || s[T_COUNT] < s[ACKED_COUNT])) {
      return "the target lacks what was acknowledged";
    }
    return "";
  }

  private void client(State state, int c) {
    byte[] s = state.of;
    boolean alive = of(s, c, ALIVE) == 1;
    int at = of(s, c, AT);
    if (alive) {
      if (at == IDLE) {
        idle(state, c);
      } else if (at == FINISH) {
        finish(state, c);
      }
      byte[] dead = s.clone();
      set(dead, c, ALIVE, 0);
      go(state, "client " + c + " dies", dead);
    }
    if (of(s, c, LIVE_FOR_MOVER) == 1) {
      byte[] expired = s.clone();
      set(expired, c, LIVE_FOR_MOVER, 0);
      go(state, "session of client " + c + " expires", expired);
    }
    // A request arrives, whether its client is still there or not.
    if (at != IDLE && at != FINISH) {
      request(state, c, alive);
    }
  }

  private void idle(State state, int c) {
    byte[] s = state.of;
    if (of(s, c, LIVE_FOR_MOVER) == 0) {
      byte[] again = s.clone();
      set(again, c, LIVE_FOR_MOVER, 1);
      set(again, c, VIEW, s[PHASE]);
      go(state, "client " + c + " has a new session", again);
      return;
    }
    if (of(s, c, VIEW) != s[PHASE]) {
      byte[] learnt = s.clone();
      set(learnt, c, VIEW, s[PHASE]);
      go(state, "client " + c + " learns of phase " + s[PHASE] + ", and says so", learnt);
    }
    int view = of(s, c, VIEW);
    int next = of(s, c, NEXT);
    if (view == FENCE || view == READ_TARGET || next >= scripts.get(c).size()) {
      return;
    }
    byte[] begun = s.clone();
    if (scripts.get(c).get(next) == Operation.PUT) {
      set(begun, c, TS, s[CLOCK]);
      begun[CLOCK]++;
      set(begun, c, AT, FIRST);
    } else {
      if (view == JOINING && has(Guard.INCREMENTS_WAIT)) {
        return;
      }
      begun[ISSUED_COUNT]++;
      set(begun, c, AT, isBoth(view) ? LOCK : APPLY);
    }
    go(state, "client " + c + " begins " + scripts.get(c).get(next), begun);
  }

  private void finish(State state, int c) {
    byte[] s = state.of;
    byte[] done = s.clone();
    boolean tells = of(s, c, LIVE_FOR_MOVER) == 1 || !has(Guard.LEASE_AFTER_WRITE);
    boolean applied = of(s, c, RESULT) != NOTHING;
    if (tells && applied) {
      if (scripts.get(c).get(of(s, c, NEXT)) == Operation.PUT) {
        done[ACKED_PUT] = (byte) Math.max(s[ACKED_PUT], of(s, c, TS));
      } else {
        done[ACKED_COUNT]++;
      }
    }
    set(done, c, AT, IDLE);
    set(done, c, NEXT, of(s, c, NEXT) + 1);
    set(done, c, TS, 0);
    set(done, c, RESULT, 0);
    go(
        state,
        "client " + c + (tells && applied ? " says that it is done" : " says that it failed"),
        done);
  }

  private void request(State state, int c, boolean alive) {
    byte[] s = state.of;
    byte[] next = s.clone();
    int view = of(s, c, VIEW);
    boolean both = isBoth(view);
    int then;
    String what;
    switch (of(s, c, AT)) {
      case FIRST -> {
        put(next, readsTarget(view), of(s, c, TS));
        then = both ? SECOND : FINISH;
        what = "writes to the " + (readsTarget(view) ? "target" : "source");
      }
      case SECOND -> {
        put(next, !readsTarget(view), of(s, c, TS));
        then = FINISH;
        what = "writes to the " + (readsTarget(view) ? "source" : "target");
      }
      case LOCK -> {
        int lock = view == REVERSED ? LOCK_S : LOCK_T;
        if (has(Guard.LOCKED_MIRROR)) {
          if (s[lock] != NOTHING) {
            return;
          }
          next[lock] = (byte) c;
        }
        then = APPLY;
        what = "locks the row";
      }
      case APPLY -> {
        int count = readsTarget(view) ? T_COUNT : S_COUNT;
        next[count]++;
        if (count == T_COUNT) {
          next[T_HAS_COUNT] = 1;
        }
        boolean inTime = of(s, c, LIVE_FOR_MOVER) == 1 || !has(Guard.LEASE_BY_TIMESTAMP);
        set(next, c, RESULT, inTime || !both ? next[count] : NOTHING);
        then = both ? MIRROR : FINISH;
        what = "increments the " + (readsTarget(view) ? "target" : "source");
      }
      default -> {
        int lock = view == REVERSED ? LOCK_S : LOCK_T;
        if (of(s, c, RESULT) == NOTHING) {
          // Left locked: who breaks the lock copies the row.
        } else if (s[lock] == c || !has(Guard.LOCKED_MIRROR)) {
          if (view != REVERSED) {
            next[T_COUNT] = (byte) of(s, c, RESULT);
            next[T_HAS_COUNT] = 1;
          } else {
            next[S_COUNT] = (byte) of(s, c, RESULT);
          }
          next[lock] = has(Guard.LOCKED_MIRROR) ? NOTHING : s[lock];
        } else {
          set(next, c, RESULT, NOTHING);
        }
        then = FINISH;
        what = "mirrors what it has counted";
      }
    }
    set(next, c, AT, alive ? then : IDLE);
    go(state, (alive ? "client " : "late, client ") + c + " " + what, next);
  }

  private static void put(byte[] s, boolean target, int ts) {
    int at = target ? T_PUT : S_PUT;
    s[at] = (byte) Math.max(s[at], ts);
  }

  private void mover(State state) {
    byte[] s = state.of;
    switch (s[PHASE]) {
      case SOURCE -> advance(state, JOINING);
      case JOINING -> {
        if (allAcknowledged(s)) {
          advance(state, DUAL);
        }
      }
      case DUAL -> {
        copy(state);
        breakLocks(state);
      }
      case FENCE -> {
        if (allAcknowledged(s) && breakLocks(state)) {
          advance(state, READ_TARGET);
        }
      }
      case READ_TARGET -> {
        if (allAcknowledged(s)) {
          advance(state, REVERSED);
        }
      }
      case REVERSED -> {
        breakLockInSource(state);
        if (allAcknowledged(s)) {
          advance(state, TARGET);
        }
      }
      default -> {
        // Nothing is left to do.
      }
    }
    lateCopies(state);
  }

  private boolean allAcknowledged(byte[] s) {
    if (!has(Guard.ACKNOWLEDGEMENT)) {
      return true;
    }
    for (int c = 0; c < COUNT; c++) {
      // Who has no session is not waited for: it says nothing is done until it has a new one.
      if (of(s, c, LIVE_FOR_MOVER) == 1 && of(s, c, VIEW) != s[PHASE]) {
        return false;
      }
    }
    return true;
  }

  private void advance(State state, int phase) {
    byte[] next = state.of.clone();
    next[PHASE] = (byte) phase;
    go(state, "mover sets phase " + phase, next);
  }

  // Reads a key, then writes it: in between anything may happen, and the mover may die and begin
  // again.
  private void copy(State state) {
    byte[] s = state.of;
    if (!allAcknowledged(s)) {
      return;
    }
    if (s[COPIED] == 3) {
      advance(state, FENCE);
      return;
    }
    if ((s[COPIED] & 1) == 0 && s[COPY_PUT] == NOTHING) {
      byte[] read = s.clone();
      read[COPY_PUT] = s[S_PUT];
      go(state, "mover reads put " + s[S_PUT], read);
    }
    if ((s[COPIED] & 2) == 0 && s[COPY_COUNT] == NOTHING) {
      byte[] read = s.clone();
      read[COPY_COUNT] = s[S_COUNT];
      go(state, "mover reads count " + s[S_COUNT], read);
    }
    if ((s[COPIED] & 1) == 0 && s[COPY_PUT] != NOTHING) {
      byte[] copied = s.clone();
      put(copied, true, s[COPY_PUT]);
      copied[COPY_PUT] = NOTHING;
      copied[COPIED] |= 1;
      go(state, "mover copies put " + s[COPY_PUT], copied);
    }
    if ((s[COPIED] & 2) == 0 && s[COPY_COUNT] != NOTHING) {
      byte[] copied = s.clone();
      copyCount(copied);
      copied[COPIED] |= 2;
      go(state, "mover copies count " + s[COPY_COUNT], copied);
    }
  }

  private void copyCount(byte[] s) {
    if (s[T_HAS_COUNT] == 0 || !has(Guard.COPY_LOSES_TIES)) {
      s[T_COUNT] = s[COPY_COUNT];
      s[T_HAS_COUNT] = (s[COPY_COUNT] > 0 ? 1 : s[T_HAS_COUNT]);
    }
  }

  // What a mover that died had sent may arrive while the next one is long further.
  private void lateCopies(State state) {
    byte[] s = state.of;
    if (s[COPY_COUNT] != NOTHING && (s[COPIED] & 2) != 0) {
      byte[] late = s.clone();
      copyCount(late);
      late[COPY_COUNT] = NOTHING;
      go(state, "late, a copy of count " + s[COPY_COUNT], late);
    }
  }

  /** Breaks the lock of a client that is gone; says whether there is none any more. */
  private boolean breakLocks(State state) {
    byte[] s = state.of;
    int holder = s[LOCK_T];
    if (holder == NOTHING) {
      return true;
    }
    if (of(s, holder, LIVE_FOR_MOVER) == 1 && of(s, holder, AT) != IDLE) {
      // It will unlock by itself.
      return false;
    }
    byte[] broken = s.clone();
    broken[LOCK_T] = NOTHING;
    broken[T_COUNT] = s[S_COUNT];
    broken[T_HAS_COUNT] = 1;
    go(state, "mover breaks the lock of client " + holder, broken);
    return false;
  }

  private void breakLockInSource(State state) {
    byte[] s = state.of;
    int holder = s[LOCK_S];
    if (holder != NOTHING && of(s, holder, LIVE_FOR_MOVER) == 0) {
      byte[] broken = s.clone();
      broken[LOCK_S] = NOTHING;
      broken[S_COUNT] = s[T_COUNT];
      go(state, "mover breaks the lock of client " + holder, broken);
    }
  }
}
