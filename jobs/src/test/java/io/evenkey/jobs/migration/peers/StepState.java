/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Act;
import io.evenkey.protocol.guard.GuardMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two clusters that take a step in place, and the link between them. Immutable.
 *
 * @param log all entries that the source has written
 * @param sent by queue, how many of its entries were sent
 * @param received the entries that the peer has acknowledged, a bit each
 * @param turn the turn of the source's run
 * @param stepped the turn through which the peer drops entries of before the step; -1 for none
 * @param kills runs of the source that were killed, or begun again
 * @param alone whether the source is lost
 * @param renewed whether the source was created again, without the step
 * @param lost whether an entry of that one was dropped
 */
record StepState(
    Side source,
    Side peer,
    List<Entry> log,
    List<Integer> sent,
    int received,
    int turn,
    int stepped,
    int kills,
    boolean alone,
    boolean renewed,
    boolean lost) {
  /** Of a table without a step, or before it. */
  static final Act.ChangeStep BEFORE = new Act.ChangeStep(GuardMode.OPEN, Act.Layouts.BEFORE);

  /**
   * A cluster.
   *
   * @param stage of its migration; rolled back also before there is one
   * @param place in its run; 0 if there is none
   * @param low the row before the step
   * @param before the row at or after the step, at its place by the layout before
   * @param after the same, at its place by the layout with the step
   */
  record Side(Stage stage, int place, Act.ChangeStep table, int low, int before, int after) {
    Side at(int next) {
      return new Side(stage, next, table, low, before, after);
    }

    Side enter(Stage next) {
      return new Side(next, 0, table, low, before, after);
    }

    Side change(Act.ChangeStep next) {
      return new Side(stage, place, next, low, before, after);
    }

    boolean hasStep() {
      return table.layouts().isAfter();
    }

    boolean isHeld() {
      return table.mode().isOfStep();
    }

    /** With an operation on the row before the step, or on the other one at one of its places. */
    Side after(boolean isLate, boolean isByStep, int operation) {
      return new Side(
          stage,
          place,
          table,
          isLate ? low : Rows.after(low, operation),
          isLate && !isByStep ? Rows.after(before, operation) : before,
          isLate && isByStep ? Rows.after(after, operation) : after);
    }

    /** With no trace of a deleted row. */
    Side compacted() {
      return new Side(stage, place, table, low, 0, after);
    }

    boolean isDeleted() {
      return before != 0 && Rows.seen(before) == 0;
    }

    /** The row at or after the step as readers see it. */
    int late() {
      return hasStep() ? after : before;
    }
  }

  /**
   * An entry of the source's log.
   *
   * @param isLate whether it is of the row at or after the step
   * @param isByStep whether it tells the layout with the step
   * @param queue the server that has logged it
   */
  record Entry(boolean isLate, int operation, boolean isByStep, int turn, int queue) {}

  static StepState first() {
    Side side = new Side(Stage.ROLLED_BACK, 0, BEFORE, 0, 0, 0);
    return new StepState(
        side.enter(Stage.PREPARING),
        side,
        List.of(),
        List.of(0, 0),
        0,
        1,
        -1,
        0,
        false,
        false,
        false);
  }

  StepState withSource(Side next) {
    return new StepState(
        next, peer, log, sent, received, turn, stepped, kills, alone, renewed, lost);
  }

  StepState withPeer(Side next) {
    return new StepState(
        source, next, log, sent, received, turn, stepped, kills, alone, renewed, lost);
  }

  StepState kill() {
    return new StepState(
        source, peer, log, sent, received, turn + 1, stepped, kills + 1, alone, renewed, lost);
  }

  StepState withStepped() {
    return new StepState(
        source, peer, log, sent, received, turn, turn, kills, alone, renewed, lost);
  }

  /** The source is lost, with all that it has not sent. */
  StepState takeOver() {
    return new StepState(
        first().source, peer, log, sent, received, turn, stepped, kills, true, renewed, lost);
  }

  /** The source is created again; its log is empty. */
  StepState renew() {
    List<Integer> all = List.of(entries(0).size(), entries(1).size());
    Side empty = first().source.enter(Stage.ROLLED_BACK);
    return new StepState(
        empty, peer, log, all, received, turn + 1, stepped, kills, alone, true, lost);
  }

  StepState write(Entry entry) {
    List<Entry> longer = new ArrayList<>(log);
    longer.add(entry);
    return new StepState(
        source.after(entry.isLate, entry.isByStep, entry.operation),
        peer,
        List.copyOf(longer),
        sent,
        received,
        turn,
        stepped,
        kills,
        alone,
        renewed,
        lost);
  }

  /** The entries of a queue, by their numbers in the log. */
  List<Integer> entries(int queue) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i).queue == queue) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  /** Whether no entry that the peer has is being sent again. */
  boolean hasSentAll() {
    return Stream.of(0, 1)
        .flatMap(queue -> entries(queue).stream().skip(sent.get(queue)))
        .noneMatch(number -> (received >> number & 1) == 1);
  }

  StepState receive(int queue, int number, Side next, boolean isLost) {
    return new StepState(
        source,
        next,
        log,
        sent(queue, sent.get(queue) + 1),
        received | 1 << number,
        turn,
        stepped,
        kills,
        alone,
        renewed,
        lost || isLost);
  }

  StepState sendAgain(int queue) {
    return new StepState(
        source, peer, log, sent(queue, 0), received, turn, stepped, kills, alone, renewed, lost);
  }

  private List<Integer> sent(int queue, int count) {
    return queue == 0 ? List.of(count, sent.get(1)) : List.of(sent.get(0), count);
  }

  boolean isSent() {
    return entries(0).size() == sent.get(0) && entries(1).size() == sent.get(1);
  }
}
