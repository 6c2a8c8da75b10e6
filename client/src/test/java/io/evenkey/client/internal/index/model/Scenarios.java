/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import static io.evenkey.client.internal.index.model.Operation.CLEAR_FIRST;
import static io.evenkey.client.internal.index.model.Operation.DELETE;
import static io.evenkey.client.internal.index.model.Operation.PUT_A;
import static io.evenkey.client.internal.index.model.Operation.PUT_B;
import static io.evenkey.client.internal.index.model.Operation.SET_FIRST;
import static io.evenkey.client.internal.index.model.Operation.SET_SECOND;
import static io.evenkey.client.internal.index.model.Operation.TOUCH;

import io.evenkey.client.internal.index.model.Scenario.With;
import java.util.List;

/** The worlds that are searched. */
final class Scenarios {
  private static final Scenario EVENTS =
      Scenario.events("put, delete and put again")
          .writer(PUT_A)
          .writer(DELETE)
          .writer(PUT_A)
          .sweeps(1);

  private static final Scenario SWEPT =
      Scenario.events("put again and delete").rows(PUT_A).writer(PUT_A).writer(DELETE).sweeps(1);

  private static final Scenario TOUCHED =
      Scenario.events("put a, and a change of other columns").writer(PUT_A).writer(TOUCH).sweeps(1);

  private static final Scenario EVENT_BATCH =
      Scenario.events("a batch of two rows, the first deleted")
          .rows(DELETE, DELETE)
          .batch(PUT_A)
          .writer(DELETE)
          .sweeps(1);

  private static final Scenario EVENTS_ADDED =
      Scenario.events("index added under put a without index, and delete")
          .oldRows(PUT_A)
          .ignorant(PUT_A)
          .writer(DELETE)
          .sweeps(1);

  private static final Scenario APPENDED =
      Scenario.events("append-only: put twice, and delete")
          .writer(PUT_A)
          .writer(PUT_A)
          .writer(DELETE)
          .with(With.SETTLING)
          .with(With.READER);

  private static final Scenario APPENDED_BATCH =
      Scenario.events("append-only: a batch of two rows")
          .rows(DELETE, DELETE)
          .batch(PUT_A)
          .sweeps(1)
          .with(With.SETTLING)
          .with(With.READER);

  private static final Scenario APPENDED_LATER =
      Scenario.events("append-only: index added under a delete without index, and put a")
          .oldRows(PUT_A)
          .ignorant(DELETE)
          .writer(PUT_A)
          .with(With.SETTLING)
          .with(With.READER);

  private static final Scenario EVENTS_DROPPED =
      Scenario.events("index dropped and added again under put a")
          .rows(PUT_A, DELETE)
          .writerOfSecondRow(PUT_A)
          .dropped()
          .with(With.READER);

  private static final Scenario APPENDED_DROPPED =
      Scenario.events("append-only: index dropped and added again under a delete")
          .rows(PUT_A)
          .writer(DELETE)
          .writer(PUT_A)
          .dropped()
          .with(With.SETTLING)
          .with(With.READER);

  private static final Scenario CHANGES =
      Scenario.mutable("a to b, and to a again").rows(PUT_A).writer(PUT_B).writer(PUT_A).sweeps(1);

  private static final Scenario COMPOSITE =
      Scenario.mutable("either column of a composite key")
          .rows(PUT_A)
          .writer(SET_FIRST)
          .writer(SET_SECOND)
          .sweeps(1);

  private static final Scenario OVERTAKEN =
      Scenario.mutable("one column, and both to b")
          .rows(PUT_A)
          .writer(SET_SECOND)
          .writer(PUT_B)
          .sweeps(1);

  private static final Scenario CLEARED =
      Scenario.mutable("one column deleted, the other one set")
          .rows(PUT_A)
          .writer(CLEAR_FIRST)
          .writer(SET_FIRST)
          .writer(SET_SECOND)
          .sweeps(1);

  private static final Scenario DELETED =
      Scenario.mutable("one column set, and deleted")
          .rows(PUT_A)
          .writer(SET_FIRST)
          .writer(DELETE)
          .sweeps(1);

  private static final Scenario COMPLETED =
      Scenario.mutable("each column of an empty row")
          .writer(SET_FIRST)
          .writer(SET_SECOND)
          .sweeps(1);

  private static final Scenario ADDED =
      Scenario.mutable("index added under put b without index, and one column set")
          .oldRows(PUT_A)
          .ignorant(PUT_B)
          .writer(SET_SECOND)
          .sweeps(1);

  private static final Scenario CHANGES_DROPPED =
      Scenario.mutable("index dropped and added again under a to b")
          .rows(PUT_A)
          .writer(PUT_B)
          .dropped();

  private static final Scenario BATCH =
      Scenario.mutable("a batch of two rows, and one column of the second")
          .rows(PUT_A, DELETE)
          .batch(PUT_B)
          .writerOfSecondRow(SET_SECOND);

  private Scenarios() {}

  /** Searched in each build. */
  static List<Scenario> usual() {
    return List.of(
        EVENTS.faults(2),
        EVENTS.sweeps(0).faults(2),
        SWEPT.faults(2),
        SWEPT.with(With.READER),
        SWEPT.with(With.MIGRATION).with(With.REOPENING),
        TOUCHED.faults(2),
        EVENT_BATCH.faults(2),
        EVENTS_ADDED.faults(2),
        APPENDED,
        APPENDED_BATCH,
        APPENDED_LATER,
        EVENTS_DROPPED,
        APPENDED_DROPPED,
        CHANGES_DROPPED.sweeps(1),
        CHANGES_DROPPED.with(With.READER),
        CHANGES.faults(2),
        CHANGES.sweeps(0).with(With.READER),
        CHANGES.with(With.MIGRATION).with(With.REOPENING),
        COMPOSITE.faults(2),
        COMPOSITE.sweeps(0).with(With.READER),
        COMPOSITE.with(With.MIGRATION).with(With.REOPENING),
        COMPOSITE.with(With.SKEW),
        OVERTAKEN.faults(2),
        OVERTAKEN.with(With.SKEW),
        CLEARED,
        CLEARED.sweeps(0).with(With.SKEW),
        DELETED.faults(2),
        DELETED.with(With.SKEW),
        COMPLETED.faults(2),
        ADDED.faults(2),
        BATCH.sweeps(1),
        BATCH.faults(2));
  }

  /** Searched with the profile deep in addition. */
  static List<Scenario> deep() {
    return List.of(
        EVENTS.sweeps(2),
        SWEPT.sweeps(2).with(With.MIGRATION).with(With.REOPENING).faults(2),
        EVENTS.with(With.READER),
        EVENT_BATCH.with(With.READER),
        APPENDED.faults(2),
        APPENDED.sweeps(1),
        APPENDED_LATER.sweeps(1).faults(2),
        EVENTS_DROPPED.sweeps(1),
        APPENDED_DROPPED.faults(2),
        CHANGES_DROPPED.writer(SET_SECOND).sweeps(1),
        CHANGES_DROPPED.writer(SET_SECOND).with(With.READER),
        CHANGES.sweeps(2),
        CHANGES.writer(DELETE),
        CHANGES.with(With.READER),
        COMPOSITE.writer(DELETE),
        COMPOSITE.sweeps(2),
        COMPOSITE.with(With.READER),
        OVERTAKEN.writer(SET_FIRST),
        OVERTAKEN.with(With.MIGRATION).with(With.REOPENING).with(With.SKEW),
        CLEARED.faults(2),
        CLEARED.with(With.SKEW),
        DELETED.with(With.READER),
        DELETED.with(With.MIGRATION).with(With.SKEW).faults(2),
        COMPLETED.writer(PUT_B),
        ADDED.writer(DELETE),
        BATCH.with(With.READER));
  }

  /** The world in which a rule is missed. */
  static Scenario against(Rule rule) {
    return switch (rule) {
      case ENTRY_FIRST -> TOUCHED;
      case FRESH_NONCE, EPOCH_CHECKED, EPOCH_BEFORE_ENTRY, ANOTHER_ENTRY, COLLECTED_FIRST -> SWEPT;
      case OWN_ENTRY_ACKNOWLEDGED, ALL_REGIONS_ANSWER -> EVENT_BATCH;
      case WHOLE_RECORD -> Scenario.events("either column").writer(SET_FIRST).writer(SET_SECOND);
      case ROW_SEEN, ROWS_STAY -> APPENDED;
      case OLD_ENTRY_STAYS, SWEEP_LOOKS_AGAIN, EPOCH_DRAINS -> EVENTS;
      case EPOCH_AT_OPEN -> SWEPT.with(With.REOPENING);
      case EPOCH_CARRIED -> SWEPT.with(With.MIGRATION);
      case VALUES_COMPARED -> CHANGES.sweeps(0).with(With.READER);
      case KEPT_CHECKED, READ_BEFORE_ENTRY -> COMPOSITE.sweeps(0);
      case ONE_PUT_AT_A_TIME -> OVERTAKEN.sweeps(0);
      case LATER_THAN_THE_ROW -> OVERTAKEN.sweeps(0).with(With.SKEW);
      case CLOSED_FIRST, READ_CONFIRMED, SINCE_COMPARED -> EVENTS_DROPPED;
      case SETTLED_SINCE -> APPENDED_DROPPED;
      case FILL_WAITS -> ADDED;
    };
  }
}
