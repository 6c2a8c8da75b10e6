/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.protocol.guard.GuardMode;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The possible next steps of two clusters that take a step in place. {@code StepModelIT} has what a
 * change of the table is made of, so that it is one step here.
 *
 * <p>Entries of the row at or after the step, of before it, are in one queue: a serial peer gets
 * them in order. If a log is sent again after a compaction on the peer, deleted rows are there
 * again until their deletes are sent, as without a migration: this is left out until the peer has
 * the step.
 */
final class StepWorld implements Model<StepState> {
  private static final List<Transition> LINES =
      Transitions.of(new Kind.StepInPlace("", ""), Migration.Fence.GUARD);

  /** Runs of the source that are killed or begun again; the peer's may be killed at any moment. */
  private static final int KILLS = 1;

  /** The places of a run are those of all acts of a line, and one more. */
  private static final int MOST_ACTS = 10;

  private static final int QUEUES = 2;

  private final Set<StepRule> rules;
  private final int writes;

  StepWorld(Set<StepRule> rules, int writes) {
    this.rules = rules;
    this.writes = writes;
  }

  private boolean has(StepRule rule) {
    return rules.contains(rule);
  }

  @Override
  public StepState first() {
    return StepState.first();
  }

  @Override
  public void next(StepState state, Next<StepState> next) {
    if (!state.alone()) {
      run(state, true, next);
      write(state, next);
      for (int queue = 0; queue < QUEUES; queue++) {
        send(state, queue, next);
      }
      if (state.source().isDeleted()) {
        next.accept(state.withSource(state.source().compacted()), "the source compacts");
      }
      next.accept(state.takeOver(), "the source is lost");
      if (state.source().stage() == Stage.FINISHED && isEnd(state) && !state.renewed()) {
        next.accept(state.renew(), "the source is created again without the step");
      }
    }
    if (state.peer().isDeleted() && state.hasSentAll()) {
      next.accept(state.withPeer(state.peer().compacted()), "the peer compacts");
    }
    run(state, false, next);
    beginOnPeer(state, next);
    beginAgain(state, next);
  }

  // ---- clients and the link

  private void write(StepState state, Next<StepState> next) {
    if (state.log().size() >= (state.renewed() ? writes + 1 : writes)) {
      return;
    }
    StepState.Side source = state.source();
    for (boolean isLate : new boolean[] {false, true}) {
      if (isLate && source.isHeld()) {
        continue;
      }
      int puts =
          (int)
              state.log().stream()
                  .filter(entry -> entry.isLate() == isLate && Rows.isPut(entry.operation()))
                  .count();
      int seen = Rows.seen(isLate ? source.late() : source.low());
      for (int queue = 0; queue < QUEUES; queue++) {
        // While a step is taken, entries tell the layout before.
        boolean isByStep = source.hasStep() && !source.isHeld();
        if (isLate && !isByStep && isOtherQueue(state, queue)) {
          continue;
        }
        String what = " the row " + (isLate ? "after" : "before") + " the step, server " + queue;
        next.accept(
            state.write(entry(state, isLate, Rows.put(puts + 1), isByStep, queue)),
            "a client puts" + what);
        if (seen != 0) {
          next.accept(
              state.write(entry(state, isLate, Rows.delete(seen), isByStep, queue)),
              "a client deletes" + what);
        }
      }
    }
  }

  private static StepState.Entry entry(
      StepState state, boolean isLate, int operation, boolean isByStep, int queue) {
    return new StepState.Entry(isLate, operation, isByStep, state.turn(), queue);
  }

  private static boolean isOtherQueue(StepState state, int queue) {
    return state.log().stream()
        .anyMatch(entry -> entry.isLate() && !entry.isByStep() && entry.queue() != queue);
  }

  private void send(StepState state, int queue, Next<StepState> next) {
    int sent = state.sent().get(queue);
    // The other one stands for a server that goes on.
    if (queue == 0 && sent > 0 && !state.renewed() && mayBeSentAgain(state)) {
      next.accept(state.sendAgain(queue), "server " + queue + " sends its log again");
    }
    List<Integer> numbers = state.entries(queue);
    if (sent == numbers.size()) {
      return;
    }
    int number = numbers.get(sent);
    StepState.Entry entry = state.log().get(number);
    StepState.Side peer = state.peer();
    String what = "server " + queue + " sends " + entry;
    if (isDropped(state, entry)) {
      boolean isOfNewSource = state.renewed();
      next.accept(state.receive(queue, number, peer, isOfNewSource), what + ", which is dropped");
    } else if (isTaken(peer, entry)) {
      StepState.Side taken = peer.after(entry.isLate(), entry.isByStep(), entry.operation());
      next.accept(state.receive(queue, number, taken, false), what);
    }
  }

  private static boolean mayBeSentAgain(StepState state) {
    boolean isCompacted =
        state.peer().before() == 0
            && IntStream.range(0, state.log().size())
                .filter(number -> (state.received() >> number & 1) == 1)
                .mapToObj(state.log()::get)
                .anyMatch(entry -> entry.isLate() && !entry.isByStep());
    return hasTaken(state.peer()) || !isCompacted;
  }

  private boolean isDropped(StepState state, StepState.Entry entry) {
    StepState.Side peer = state.peer();
    return entry.isLate()
        && !entry.isByStep()
        && peer.hasStep()
        && !peer.isHeld()
        && has(StepRule.EARLIER_DROPPED)
        && (entry.turn() <= state.stepped() || !has(StepRule.BY_TURN));
  }

  private boolean isTaken(StepState.Side peer, StepState.Entry entry) {
    boolean isSame = entry.isByStep() == peer.hasStep();
    if (!entry.isLate()) {
      return isSame || has(StepRule.BEFORE_ACCEPTED);
    }
    if (peer.isHeld() && has(StepRule.HELD_REJECTED)) {
      return false;
    }
    return isSame || entry.isByStep() && !has(StepRule.LATER_REJECTED);
  }

  // ---- the migrations

  /** The source's run begins that of the peer. */
  private void beginOnPeer(StepState state, Next<StepState> next) {
    Stage there = state.source().stage();
    boolean isTime =
        there == Stage.SWITCHING || there == Stage.CLOSING && !has(StepRule.SOURCE_FIRST);
    if (state.peer().stage() == Stage.ROLLED_BACK
        && state.source().place() != 0
        && isTime
        && !isInTheWay(state.peer())) {
      next.accept(
          state.withPeer(state.peer().enter(Stage.PREPARING)), "the peer's migration is begun");
    }
  }

  private static void beginAgain(StepState state, Next<StepState> next) {
    if (state.source().stage() == Stage.ROLLED_BACK
        && !state.alone()
        && !state.renewed()
        && state.kills() < KILLS) {
      next.accept(
          state.kill().withSource(state.source().enter(Stage.PREPARING)),
          "the source's migration is begun again");
    }
  }

  private boolean isInTheWay(StepState.Side side) {
    return has(StepRule.LOOK) && (side.before() != 0 || side.after() != 0);
  }

  private static StepState with(StepState state, boolean isSource, StepState.Side side) {
    return isSource ? state.withSource(side) : state.withPeer(side);
  }

  private void run(StepState state, boolean isSource, Next<StepState> next) {
    StepState.Side side = isSource ? state.source() : state.peer();
    String name = isSource ? "source: " : "peer: ";
    if (side.place() == 0) {
      IntStream.range(0, LINES.size())
          .filter(i -> LINES.get(i).stage() == side.stage() && LINES.get(i).next() != null)
          .forEach(
              i ->
                  next.accept(
                      with(state, isSource, side.at(1 + i * MOST_ACTS)),
                      name + "goes on from " + side.stage() + " " + LINES.get(i).way()));
      return;
    }
    Transition line = LINES.get((side.place() - 1) / MOST_ACTS);
    int done = (side.place() - 1) % MOST_ACTS;
    if (done == line.acts().size()) {
      Stage stage = Objects.requireNonNull(line.next());
      next.accept(with(state, isSource, side.enter(stage)), name + "records " + stage);
    } else {
      act(state, isSource, line.acts().get(done), name, next);
    }
    if (!isSource) {
      next.accept(state.withPeer(taken(side)), name + "is killed, and taken over");
    } else if (state.kills() < KILLS) {
      next.accept(state.kill().withSource(taken(side)), name + "is killed, and taken over");
    }
  }

  private static StepState.Side taken(StepState.Side side) {
    StepState.Side taken = side.at(0);
    Transition line =
        LINES.stream().filter(other -> other.stage() == side.stage()).findFirst().orElseThrow();
    for (Act act : line.taking()) {
      taken = taken.change((Act.ChangeStep) act);
    }
    return taken;
  }

  private void act(StepState state, boolean isSource, Act act, String name, Next<StepState> next) {
    StepState.Side side = isSource ? state.source() : state.peer();
    StepState on = with(state, isSource, side.at(side.place() + 1));
    if (act instanceof Act.ChangeStep change) {
      next.accept(with(state, isSource, side.at(side.place() + 1).change(change)), name + act);
      return;
    }
    switch ((Act.Work) act) {
      case FIND_ROWS -> {
        // The source looks in any case: that is a rule of a step on one cluster.
        boolean isFound = isSource ? side.before() != 0 || side.after() != 0 : isInTheWay(side);
        next.accept(
            isFound ? with(state, isSource, side.enter(Stage.ABANDONING)) : on,
            name + act + " " + isFound);
      }
      case CHECK_CLUSTERS -> {
        if (isSource || state.alone()) {
          next.accept(on, name + act);
        } else if (state.source().stage().usesTarget() || !has(StepRule.SOURCE_FIRST)) {
          next.accept(on.withStepped(), name + act);
        }
      }
      case TAKE_ON_PEERS -> {
        boolean isTaken = state.peer().stage() == Stage.FINISHED;
        if (!isSource || isTaken || !has(StepRule.PEER_BEFORE_FINISH)) {
          next.accept(on, name + act);
        }
      }
      // A server without the guard is in the model of one cluster.
      case FIND_MISPLACED, MAKE_REGIONS, RECORD_LAYOUT -> next.accept(on, name + act);
      default -> throw new IllegalStateException("not modelled: " + act);
    }
  }

  // ---- what has to hold

  @Override
  public String wrong(StepState state) {
    if (state.lost()) {
      return "an entry of a source that was created again is dropped: " + state;
    }
    if (state.renewed()) {
      return "";
    }
    StepState.Side peer = state.peer();
    if (peer.hasStep() ? peer.before() != 0 : peer.after() != 0) {
      return "the peer has a row where its layout does not look: " + state;
    }
    if (!isPossible(state, false, peer.low()) || !isPossible(state, true, peer.late())) {
      return "readers on the peer miss what it has acknowledged: " + state;
    }
    StepState.Side source = state.source();
    if (isEnd(state)
        && !state.alone()
        && (Rows.seen(source.low()) != Rows.seen(peer.low())
            || Rows.seen(source.late()) != Rows.seen(peer.late()))) {
      return "all is sent, and the clusters differ: " + state;
    }
    return "";
  }

  /** Whether a row has all that has arrived, and of the rest what the source has written. */
  private static boolean isPossible(StepState state, boolean isLate, int row) {
    List<StepState.Entry> log = state.log();
    for (int some = (1 << log.size()) - 1; some >= 0; some--) {
      if ((some & state.received()) != state.received()) {
        continue;
      }
      int possible = 0;
      boolean deletes = false;
      for (int i = 0; i < log.size(); i++) {
        if ((some >> i & 1) == 1 && log.get(i).isLate() == isLate) {
          possible = Rows.after(possible, log.get(i).operation());
          deletes |= Rows.isDelete(log.get(i).operation());
        }
      }
      if (Rows.seen(possible) == Rows.seen(row) || deletes && Rows.seen(row) == 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isEnd(StepState state) {
    return state.alone()
        || state.source().stage().isOver()
            && state.source().stage() == state.peer().stage()
            && state.source().place() == 0
            && state.peer().place() == 0
            && state.isSent();
  }

  @Override
  public boolean isAlone(StepState state) {
    return state.alone() || state.renewed();
  }

  /** Whether the table has the step, and rows after it are written. */
  static boolean hasTaken(StepState.Side side) {
    return side.hasStep() && side.table().mode() == GuardMode.OPEN;
  }
}
