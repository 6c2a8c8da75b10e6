/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index.model;

import static io.evenkey.client.index.model.Operation.DELETE;
import static io.evenkey.client.index.model.Operation.PUT_A;
import static io.evenkey.client.index.model.Operation.PUT_B;
import static io.evenkey.client.index.model.Operation.SET_FIRST;
import static io.evenkey.client.index.model.Operation.SET_SECOND;
import static io.evenkey.client.index.model.Operation.TOUCH;

import io.evenkey.client.index.model.Scenario.With;
import java.util.List;

/** The worlds that are searched. */
final class Scenarios {
  private static final Scenario EVENTS =
      Scenario.events("put, delete and put again")
          .writer(PUT_A)
          .writer(DELETE)
          .writer(PUT_A)
          .cleaners(1);

  private static final Scenario SWEPT =
      Scenario.events("put again and delete").rows(PUT_A).writer(PUT_A).writer(DELETE).cleaners(1);

  private static final Scenario CHANGES =
      Scenario.mutable("a to b, and to a again")
          .rows(PUT_A)
          .writer(PUT_B)
          .writer(PUT_A)
          .cleaners(1);

  private static final Scenario DELETED =
      Scenario.mutable("a to b, and deleted").rows(PUT_A).writer(PUT_B).writer(DELETE).cleaners(1);

  private static final Scenario INSERTED =
      Scenario.mutable("put a, put b").writer(PUT_A).writer(PUT_B).cleaners(1);

  private static final Scenario COMPOSITE =
      Scenario.mutable("either column of a composite key")
          .rows(PUT_A)
          .writer(SET_FIRST)
          .writer(SET_SECOND)
          .cleaners(1);

  private static final Scenario TOUCHED =
      Scenario.mutable("put a, and a change of other columns")
          .writer(PUT_A)
          .writer(TOUCH)
          .cleaners(1);

  private static final Scenario ADDED =
      Scenario.mutable("index added under put b without index, and put a")
          .oldRows(PUT_A)
          .ignorant(PUT_B)
          .writer(PUT_A)
          .cleaners(1);

  private static final Scenario ADDED_AGAIN =
      Scenario.mutable("index added under put a without index, put b, deleted")
          .oldRows(PUT_A)
          .ignorant(PUT_A)
          .writer(PUT_B)
          .writer(DELETE);

  private static final Scenario MARKED =
      Scenario.mutable("a to b, deleted")
          .rows(PUT_A)
          .writer(PUT_B)
          .writer(DELETE)
          .with(With.MARKS)
          .cleaners(1);

  private static final Scenario EVENT_BATCH =
      Scenario.events("a batch of two rows, the first deleted")
          .rows(DELETE, DELETE)
          .batch(PUT_A)
          .writer(DELETE)
          .cleaners(1);

  private static final Scenario BATCH =
      Scenario.mutable("a batch of two rows, and b in the second")
          .rows(PUT_A, DELETE)
          .batch(PUT_B)
          .writerOfSecondRow(PUT_A);

  private static final Scenario EVENTS_ADDED =
      Scenario.events("index added under put a without index, and delete")
          .oldRows(PUT_A)
          .ignorant(PUT_A)
          .writer(DELETE)
          .cleaners(1);

  private Scenarios() {}

  /** Searched in each build. */
  static List<Scenario> usual() {
    return List.of(
        EVENTS.faults(2),
        EVENTS.cleaners(0).faults(2),
        SWEPT.faults(2),
        SWEPT.with(With.READER),
        SWEPT.with(With.MIGRATION).with(With.REOPENING),
        EVENT_BATCH.faults(2),
        EVENTS_ADDED.faults(2),
        CHANGES.faults(2),
        DELETED.with(With.COMPACTION),
        INSERTED.faults(2),
        COMPOSITE.faults(2),
        TOUCHED.faults(2),
        CHANGES.cleaners(0).with(With.READER),
        DELETED.with(With.MIGRATION),
        DELETED.with(With.SKEW).faults(2),
        BATCH.cleaners(1),
        BATCH.faults(2),
        ADDED.faults(2),
        ADDED.with(With.MARKS),
        ADDED_AGAIN,
        MARKED.faults(2),
        MARKED.cleaners(0).with(With.READER));
  }

  /** Searched with the profile deep in addition. */
  static List<Scenario> deep() {
    return List.of(
        EVENTS.cleaners(2),
        SWEPT.cleaners(2).with(With.MIGRATION).with(With.REOPENING).faults(2),
        EVENTS.with(With.READER),
        EVENT_BATCH.with(With.READER),
        CHANGES.cleaners(2),
        CHANGES.writer(DELETE),
        INSERTED.writer(DELETE),
        COMPOSITE.writer(DELETE),
        CHANGES.with(With.READER),
        DELETED.with(With.READER),
        DELETED.with(With.MIGRATION).with(With.SKEW).with(With.COMPACTION),
        BATCH.with(With.READER),
        ADDED.writer(DELETE),
        ADDED_AGAIN.cleaners(1).faults(2),
        MARKED.with(With.READER),
        MARKED.writer(PUT_A));
  }

  /** The world in which a rule is missed. */
  static Scenario against(Rule rule) {
    return switch (rule) {
      case ENTRY_FIRST, ENTRY_TELLS -> TOUCHED;
      case FRESH_NONCE, EPOCH_CHECKED, EPOCH_BEFORE_ENTRY, ANOTHER_ENTRY, COLLECTED_FIRST -> SWEPT;
      case OWN_ENTRY_ACKNOWLEDGED, ALL_REGIONS_ANSWER -> EVENT_BATCH;
      case WHOLE_RECORD -> Scenario.events("either column").writer(SET_FIRST).writer(SET_SECOND);
      case DELETE_LEAVES_ENTRY, SWEEP_LOOKS_AGAIN, EPOCH_DRAINS -> EVENTS;
      case EPOCH_AT_OPEN -> SWEPT.with(With.REOPENING);
      case EPOCH_CARRIED -> SWEPT.with(With.MIGRATION);
      case VALUES_COMPARED, RETURNED_ONCE -> CHANGES.cleaners(0).with(With.READER);
      case GUARD_CHECKED, FRESH_GUARD, READ_BEFORE_ENTRY, REMOVED_LAST, MATCH_STAYS -> CHANGES;
      case BUMP_BEFORE_CLEANING, FRESH_BUMP -> CHANGES;
      case MARKER_AT_DELETE -> Scenario.mutable("put a, deleted").writer(PUT_A).writer(DELETE);
      case GUARD_COPIED -> INSERTED.with(With.MIGRATION);
      case STAMPED -> DELETED.with(With.SKEW);
      case FILL_WAITS -> ADDED;
      case JOINING_REMOVES_NOTHING -> ADDED_AGAIN;
      case KILLED_FIRST, KILL_WINS -> MARKED;
      case TOMBSTONES_KEPT -> MARKED.with(With.COMPACTION);
    };
  }
}
