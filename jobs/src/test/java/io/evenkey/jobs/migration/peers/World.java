/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import static io.evenkey.jobs.migration.peers.State.A;
import static io.evenkey.jobs.migration.peers.State.B;
import static io.evenkey.jobs.migration.peers.State.S;
import static io.evenkey.jobs.migration.peers.State.T;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The possible next steps. Both migrations go by {@link Transitions} from the stage on at which
 * their generations are alike; {@code MigrationModelIT} has what a change of a generation is made
 * of, so that it is one step here.
 */
final class World implements Model<State> {
  private static final List<Transition> LINES =
      Transitions.of(new Kind.AnotherSpread(), Migration.Fence.GUARD);

  /** Runs of the source that are killed, or fail; the peer's may be at any moment. */
  private static final int KILLS = 1;

  private static final int LAST_TURN = 7;

  /** What depends on the other cluster, or on rows. Changes of modes between it are one step. */
  private static final Set<Act> CHECKED =
      Set.of(Act.Work.REPAIR_LAST, Act.Work.CHECK_CLUSTERS, Act.Work.CHECK_ARRIVED);

  /** Acts of a line that are one step; none at its end, when the next stage is recorded. */
  private record Place(Transition line, List<Act> acts) {}

  private final Set<Rule> rules;
  private final int writes;

  // The first place is that of no run.
  private final List<Place> places = new ArrayList<>();
  private final int[] begins = new int[LINES.size()];

  /**
   * A world.
   *
   * @param writes the number of writes of clients
   */
  World(Set<Rule> rules, int writes) {
    this.rules = rules;
    this.writes = writes;
    places.add(new Place(LINES.get(0), List.of()));
    for (int i = 0; i < LINES.size(); i++) {
      Transition line = LINES.get(i);
      begins[i] = places.size();
      List<Act> together = new ArrayList<>();
      for (Act act : line.acts()) {
        if (act instanceof Act.Change || act == Act.Work.TAKE_TURN) {
          together.add(act);
        } else if (CHECKED.contains(act)) {
          add(line, together);
          together.clear();
          add(line, List.of(act));
        }
      }
      add(line, together);
      places.add(new Place(line, List.of()));
    }
  }

  private void add(Transition line, List<Act> acts) {
    if (!acts.isEmpty()) {
      places.add(new Place(line, List.copyOf(acts)));
    }
  }

  private boolean has(Rule rule) {
    return rules.contains(rule);
  }

  private static int index(Act.Generation generation) {
    return generation == Act.Generation.SOURCE ? S : T;
  }

  @Override
  public State first() {
    return new State(earlierThrough());
  }

  // Through the turn by which the migration begins, entries of its name are of another table.
  private int earlierThrough() {
    return has(Rule.NAME_DROPPED) ? State.FIRST_TURN : State.NONE;
  }

  @Override
  public void next(State state, Next<State> next) {
    if (!state.isAlone()) {
      run(state, A, next);
      write(state, next);
      for (int queue = 0; queue < State.QUEUES; queue++) {
        send(state, queue, next);
      }
      drop(state, next);
      State lost = state.copy();
      lost.takeOver();
      next.accept(lost, "the source is lost");
    }
    run(state, B, next);
    beginAgain(state, next);
  }

  // ---- clients and the link

  private void write(State state, Next<State> next) {
    for (int generation = S; generation <= T; generation++) {
      if (state.writes() == writes || !state.mode(A, generation).writes()) {
        continue;
      }
      int puts = 0;
      for (int i = 0; i < state.writes(); i++) {
        puts += Rows.isPut(state.operation(i)) ? 1 : 0;
      }
      int seen = Rows.seen(state.row(A, generation));
      for (int queue = 0; queue < State.QUEUES; queue++) {
        String where = " in " + name(generation) + ", logged by server " + queue;
        State put = state.copy();
        put.write(generation, Rows.put(puts + 1), queue);
        next.accept(put, "a client puts version " + (puts + 1) + where);
        if (seen != 0) {
          State deleted = state.copy();
          deleted.write(generation, Rows.delete(seen), queue);
          next.accept(deleted, "a client deletes version " + seen + where);
        }
      }
    }
  }

  private void send(State state, int queue, Next<State> next) {
    // The other one stands for a server that goes on.
    if (queue == 0 && state.hasSent(queue)) {
      State again = state.copy();
      again.sendAgain(queue);
      next.accept(again, "server " + queue + " sends its log again");
    }
    int entry = state.next(queue);
    if (entry == 0) {
      return;
    }
    int generation = State.generation(entry);
    int operation = state.operation(State.write(entry));
    State sent = state.copy();
    sent.removeNext(queue);
    sent.receive(State.write(entry));
    GuardMode mode = state.mode(B, generation);
    String what = "server " + queue + " sends " + operation + " of " + name(generation);
    if (isMissing(state, generation)) {
      return;
    }
    int turn = State.turnOf(entry);
    boolean isLate = turn > 0 || has(Rule.EARLY_DROPPED) && mode == GuardMode.CLOSED;
    if (turn <= state.through(generation) && isLate) {
      next.accept(sent, what + ", which is dropped");
    } else if (mode.writes() || mode == GuardMode.CLOSED && !has(Rule.CLOSED_REJECTS)) {
      int row = state.row(B, generation);
      boolean isForeign = State.isOfEarlierTable(entry);
      sent.row(B, generation, isForeign ? Rows.withForeign(row) : Rows.after(row, operation));
      next.accept(sent, what + (isForeign ? ", of an earlier table" : ""));
    }
  }

  private boolean isMissing(State state, int generation) {
    return generation == T
        ? state.stage(B) == Stage.ROLLED_BACK && !has(Rule.TARGET_KEPT_AT_PEER)
        : state.stage(B) == Stage.FINISHED && !has(Rule.SOURCE_KEPT_AT_PEER);
  }

  // ---- the migrations

  private static void drop(State state, Next<State> next) {
    if (state.stage(A) == Stage.FINISHED && !state.isGone(S)) {
      State dropped = state.copy();
      dropped.drop(S);
      next.accept(dropped, "the source's old generation is dropped");
    }
  }

  /** The migration on the peer was rolled back, and is begun again. */
  private void beginAgain(State state, Next<State> next) {
    boolean isOver = state.stage(A).isOver() || state.stage(A) == Stage.ABANDONING;
    if (state.stage(B) == Stage.ROLLED_BACK && !isOver && !state.isAlone()) {
      State begun = state.copy();
      begun.stage(B, Stage.READY);
      take(begun, B);
      begun.row(B, T, Rows.repaired(state.row(B, S), 0));
      begun.through(T, earlierThrough());
      next.accept(begun, "the peer's migration is begun again");
    }
  }

  private void run(State state, int cluster, Next<State> next) {
    String name = cluster == A ? "source: " : "peer: ";
    int at = state.place(cluster);
    if (at == 0) {
      begin(state, cluster, name, next);
      return;
    }
    Place place = places.get(at);
    State done = state.copy();
    if (place.acts().isEmpty()) {
      record(done, cluster, place.line(), name, next);
    } else if (place.acts().stream().allMatch(act -> act(done, cluster, place.line(), act))) {
      done.place(cluster, at + 1);
      next.accept(done, name + place.acts());
    }
    if (cluster == B || state.kills() < KILLS) {
      fail(state, cluster, place.line(), name, next);
    }
  }

  private void begin(State state, int cluster, String name, Next<State> next) {
    for (int i = 0; i < LINES.size(); i++) {
      Transition line = LINES.get(i);
      // The way forward from RETURNING is for a source that was dropped past Evenkey.
      boolean isSearched = line.stage() != Stage.RETURNING || line.way() == Transition.Way.BACK;
      if (line.stage() == state.stage(cluster) && line.next() != null && isSearched) {
        State begun = state.copy();
        begun.place(cluster, begins[i]);
        next.accept(begun, name + "goes on from " + line.stage() + " " + line.way());
      }
    }
  }

  private void record(State done, int cluster, Transition line, String name, Next<State> next) {
    Stage stage = Objects.requireNonNull(line.next());
    if (cluster == A && stage == Stage.ROLLED_BACK && !has(Rule.TARGET_KEPT)) {
      done.drop(T);
    }
    done.stage(cluster, stage);
    done.place(cluster, 0);
    next.accept(done, name + "records " + stage);
  }

  /** A run is killed and another one takes over, or it fails. */
  private static void fail(
      State state, int cluster, Transition line, String name, Next<State> next) {
    State killed = state.copy();
    ended(killed, cluster);
    next.accept(killed, name + "is killed, and taken over");
    Stage after = line.afterFailure();
    if (after != null) {
      State failed = state.copy();
      failed.stage(cluster, after);
      ended(failed, cluster);
      next.accept(failed, name + "fails");
    }
  }

  private static void ended(State state, int cluster) {
    state.place(cluster, 0);
    take(state, cluster);
    if (cluster == A) {
      state.kill();
      state.turn(Math.min(LAST_TURN, state.turn() + 1));
    }
  }

  /** Sets the modes of the stage. */
  private static void take(State state, int cluster) {
    Transition line =
        LINES.stream()
            .filter(other -> other.stage() == state.stage(cluster))
            .findFirst()
            .orElseThrow();
    for (Act act : line.taking()) {
      Act.Change change = (Act.Change) act;
      state.mode(cluster, index(change.generation()), Objects.requireNonNull(change.mode()));
    }
  }

  /** Returns false if the run cannot go on yet. */
  private boolean act(State state, int cluster, Transition line, Act act) {
    if (act instanceof Act.Change change) {
      if (change.mode() != null) {
        state.mode(cluster, index(change.generation()), change.mode());
      }
      return true;
    }
    int primary = index(line.primary());
    return switch ((Act.Work) act) {
      case TAKE_TURN -> {
        if (cluster == A) {
          state.turn(Math.min(LAST_TURN, state.turn() + 1));
        }
        yield true;
      }
      case REPAIR_LAST -> repair(state, cluster, primary);
      case CHECK_CLUSTERS ->
          cluster == A ? isPeerThere(state, line) : isSourceThere(state, line, true);
      case CHECK_ARRIVED -> cluster == A || hasArrived(state, line);
      default -> throw new IllegalStateException("not modelled: " + act);
    };
  }

  private boolean repair(State state, int cluster, int primary) {
    int secondary = 1 - primary;
    int before = state.row(cluster, secondary);
    int after = Rows.repaired(state.row(cluster, primary), before);
    state.row(cluster, secondary, after);
    return cluster == B
        || has(Rule.OWN_COPY)
        || after == before
        || state.append(0, secondary, state.writes() - 1);
  }

  /** Whether the peer's migration is where the source's next step needs it. */
  private boolean isPeerThere(State state, Transition line) {
    if (line.stage() == Stage.READY) {
      return state.stage(B) == Stage.READY;
    }
    Rule rule =
        line.way() == Transition.Way.BACK ? Rule.PEER_BEFORE_RETURN : Rule.PEER_BEFORE_FINISH;
    return !has(rule) || state.stage(B) == Stage.SWITCHED;
  }

  /** Whether the source's migration is where the peer's next step needs it. */
  private boolean isSourceThere(State state, Transition line, boolean compares) {
    if (state.isAlone()) {
      return true;
    }
    Stage stage = state.stage(A);
    if (line.stage() == Stage.SWITCHED && line.way() == Transition.Way.FORWARD) {
      return stage == Stage.FINISHING || stage == Stage.FINISHED;
    }
    int left = index(line.primary());
    boolean hasLeft =
        left == S
            ? stage.usesTarget() && stage != Stage.RETURNING
            : stage == Stage.ABANDONING || stage == Stage.ROLLED_BACK;
    if (!has(Rule.RECORDED)) {
      hasLeft = state.mode(A, left) == GuardMode.CLOSED;
    }
    return hasLeft && (!compares || !has(Rule.COMPARED) || isAlike(state, left));
  }

  private static boolean isAlike(State state, int generation) {
    return !state.isGone(generation)
        && Rows.seen(state.row(A, generation)) == Rows.seen(state.row(B, generation));
  }

  private boolean hasArrived(State state, Transition line) {
    if (!isSourceThere(state, line, has(Rule.FROZEN))) {
      return false;
    }
    if (!state.isAlone() && has(Rule.LATE_DROPPED)) {
      state.through(index(line.primary()), has(Rule.BY_TURN) ? state.turn() : LAST_TURN);
    }
    return true;
  }

  // ---- what has to hold

  @Override
  public String wrong(State state) {
    if (state.mode(B, T).reads() && Rows.hasForeign(state.row(B, T))) {
      return "readers on the peer see a row of an earlier table: " + state;
    }
    for (int generation = S; generation <= T; generation++) {
      if (state.mode(B, generation).reads() && !isPossible(state, state.row(B, generation))) {
        return "readers of "
            + name(generation)
            + " on the peer miss what it has acknowledged: "
            + state;
      }
    }
    if (isEnd(state) && !state.isAlone()) {
      int used = state.stage(A).usesTarget() ? T : S;
      if (Rows.seen(state.row(A, used)) != Rows.seen(state.row(B, used))) {
        return "all is sent, and the clusters differ: " + state;
      }
    }
    return "";
  }

  /** Whether a row has all that has arrived, and of the rest what the source has written. */
  private static boolean isPossible(State state, int row) {
    int all = (1 << state.writes()) - 1;
    int received = 0;
    for (int write = 0; write < state.writes(); write++) {
      received |= state.isReceived(write) ? 1 << write : 0;
    }
    for (int some = all; some >= 0; some--) {
      if ((some & received) == received) {
        int possible = 0;
        boolean deletes = false;
        for (int write = 0; write < state.writes(); write++) {
          if ((some >> write & 1) == 1) {
            possible = Rows.after(possible, state.operation(write));
            deletes |= Rows.isDelete(state.operation(write));
          }
        }
        // The next generation does not have the versions that were hidden when it was made.
        if (Rows.seen(possible) == Rows.seen(row) || deletes && Rows.seen(row) == 0) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public boolean isEnd(State state) {
    return state.isAlone()
        || state.stage(A).isOver()
            && state.stage(A) == state.stage(B)
            && state.place(A) == 0
            && state.place(B) == 0
            && state.isSent();
  }

  @Override
  public boolean isAlone(State state) {
    return state.isAlone();
  }

  private static String name(int generation) {
    return generation == S ? "S" : "T";
  }
}
