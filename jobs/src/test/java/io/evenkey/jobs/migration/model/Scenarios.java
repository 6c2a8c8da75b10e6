/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.Operation.INCREMENT;
import static io.evenkey.jobs.migration.model.Operation.OLD_DELETE;
import static io.evenkey.jobs.migration.model.Operation.OLD_PUT;
import static io.evenkey.jobs.migration.model.Operation.OVERWRITE;
import static io.evenkey.jobs.migration.model.Operation.PUT;
import static io.evenkey.jobs.migration.model.Operation.READ;
import static io.evenkey.jobs.migration.model.Scenario.Event.FAILURE;
import static io.evenkey.jobs.migration.model.Scenario.Event.HISTORIES;
import static io.evenkey.jobs.migration.model.Scenario.Event.LOST_GUARD;
import static io.evenkey.jobs.migration.model.Scenario.Event.MERGES;
import static io.evenkey.jobs.migration.model.Scenario.Event.REOPENING;
import static io.evenkey.jobs.migration.model.Scenario.Event.RETRIES;
import static io.evenkey.jobs.migration.model.Scenario.Event.ROLLBACK;
import static io.evenkey.jobs.migration.model.Scenario.Event.SECOND_MIGRATION;
import static io.evenkey.jobs.migration.model.Scenario.Event.SKEW;
import static io.evenkey.jobs.migration.model.Scenario.Event.SPLITS;
import static io.evenkey.jobs.migration.model.Scenario.Event.TIMEOUTS;

import java.util.List;

/** The worlds that are searched. */
final class Scenarios {
  private Scenarios() {}

  /** The scenarios of the full search only: the largest, with millions of states each. */
  static List<Scenario> deep() {
    return List.of(
        Scenario.of("two clients of two writes, two regions that move, several passes")
            .client(PUT, INCREMENT)
            .client(1, OLD_PUT, PUT)
            .regions(2)
            .passes(3)
            .with(REOPENING, ROLLBACK),
        Scenario.of("reads, two migrators")
            .client(READ, READ)
            .client(PUT, PUT)
            .migrators(2)
            .with(REOPENING, ROLLBACK),
        Scenario.of("two migrators, a client")
            .client(OVERWRITE, OLD_DELETE)
            .migrators(2)
            .passes(2)
            .with(REOPENING, ROLLBACK),
        Scenario.of("a run that fails, two migrators")
            .client(OVERWRITE, PUT)
            .migrators(2)
            .with(FAILURE, ROLLBACK),
        Scenario.of("regions that merge, a server without the guard")
            .client(PUT, PUT)
            .regions(2)
            .with(MERGES, LOST_GUARD, ROLLBACK),
        Scenario.of("two migrators, two clients")
            .client(OVERWRITE, OLD_DELETE)
            .client(INCREMENT)
            .migrators(2)
            .with(REOPENING, ROLLBACK),
        Scenario.of("two migrations, three migrators")
            .client(OLD_DELETE)
            .migrators(3)
            .with(REOPENING, ROLLBACK, SECOND_MIGRATION),
        Scenario.of("answers that are lost, two migrators")
            .client(INCREMENT)
            .ignorant(OVERWRITE)
            .migrators(2)
            .with(TIMEOUTS, REOPENING, ROLLBACK),
        Scenario.of("two migrators, two regions that move")
            .client(OVERWRITE)
            .client(1, PUT)
            .migrators(2)
            .regions(2)
            .with(REOPENING),
        Scenario.of("regions that merge, two migrators")
            .client(PUT)
            .client(1, PUT)
            .regions(2)
            .migrators(2)
            .with(MERGES),
        Scenario.of("three migrators").client(OVERWRITE).migrators(3).with(ROLLBACK));
  }

  /** The scenarios of each build: seconds. */
  static List<Scenario> small() {
    return List.of(
        Scenario.of("a client that writes and reads, a run that fails")
            .client(PUT, READ)
            .with(REOPENING, FAILURE, ROLLBACK),
        Scenario.of("regions that split, of which one is without the guard")
            .client(PUT)
            .regions(2)
            .with(SPLITS, LOST_GUARD, FAILURE),
        Scenario.of("two runs").client(OVERWRITE).migrators(2).with(ROLLBACK));
  }

  /** The scenarios of the long tests: a minute. */
  static List<Scenario> usual() {
    return List.of(
        Scenario.of("two clients of two writes, one without Evenkey, several passes")
            .client(PUT, OLD_DELETE)
            .ignorant(OLD_PUT, OVERWRITE)
            .passes(3)
            .with(REOPENING, ROLLBACK),
        Scenario.of("answers that are lost")
            .client(INCREMENT, OVERWRITE)
            .client(OVERWRITE)
            .with(TIMEOUTS, REOPENING, ROLLBACK),
        Scenario.of("two migrations, two migrators")
            .client(OLD_DELETE, PUT)
            .migrators(2)
            .with(REOPENING, ROLLBACK, SECOND_MIGRATION),
        Scenario.of("a server without the guard, two regions")
            .client(PUT, PUT)
            .client(1, READ)
            .regions(2)
            .with(LOST_GUARD, FAILURE, REOPENING),
        Scenario.of("a server without the guard, two migrators")
            .client(PUT)
            .migrators(2)
            .with(LOST_GUARD, ROLLBACK),
        Scenario.of("regions that split")
            .client(PUT, OVERWRITE)
            .client(1, PUT)
            .regions(2)
            .with(SPLITS, ROLLBACK),
        Scenario.of("regions that split, a server without the guard")
            .client(PUT, PUT)
            .regions(2)
            .with(SPLITS, LOST_GUARD, ROLLBACK),
        Scenario.of("clocks that differ")
            .client(PUT, INCREMENT)
            .client(PUT)
            .migrators(2)
            .with(SKEW, REOPENING));
  }

  /** A client reads what it has written, and what another one has, whom it only knows by reads. */
  static List<Scenario> histories() {
    return List.of(
        Scenario.of("a client reads its own writes")
            .client(PUT, READ, OVERWRITE, READ)
            .with(HISTORIES, FAILURE, ROLLBACK),
        Scenario.of("a client reads the writes of another one")
            .client(READ, READ)
            .client(OVERWRITE, PUT)
            .with(HISTORIES, FAILURE, ROLLBACK));
  }

  /** The one that shows what a rule is for. */
  static Scenario against(Rule rule) {
    Scenario world = Scenario.of("without " + rule);
    return switch (rule) {
      case ALL_REGIONS_ANSWER -> world.client(1, PUT).regions(2);
      case REGIONS_LISTED_LAST -> world.client(1, PUT).regions(2).with(SPLITS);
      case SPLIT_KEEPS_THE_RECORD -> world.client(PUT).regions(2).with(SPLITS, LOST_GUARD);
      case MERGED_HAS_NO_RECORD -> world.client(PUT).regions(2).with(MERGES, LOST_GUARD);
      case LEFT_IS_COMPARED, LEFT_IS_CHECKED, GUARDED_BEFORE_MARKS ->
          world.client(PUT).with(LOST_GUARD, ROLLBACK);
      case STATE_AT_OPEN, ANSWER_IS_LOGGED -> world.client(PUT).with(REOPENING);
      case DESCRIPTOR_FIRST -> world.client(PUT).client(PUT).with(REOPENING);
      case GUARD_IS_RECORDED -> world.client(PUT).with(LOST_GUARD, FAILURE);
      case EVERY_WRITE_IS_MARKED -> world.ignorant(PUT);
      case FOUND_BY_MARKS -> world.client(OLD_PUT);
      case DRAIN_TURN, TURN, TURN_FIRST ->
          world.client(OVERWRITE).client(OVERWRITE).migrators(2).with(REOPENING);
      case CLOSED_FIRST_ON_THE_WAY_BACK -> world.client(PUT, PUT).with(FAILURE);
      case FINISH_IS_RECORDED -> world.client(OVERWRITE).migrators(2).with(ROLLBACK);
      case DESCRIPTOR_ONLY_GROWS, SWITCH_IS_RECORDED ->
          world.client(PUT).migrators(2).with(REOPENING).with(ROLLBACK);
      case ANSWER_IS_EXACT -> world.client(PUT).migrators(3).with(REOPENING);
      case PASS_IS_RECORDED_AFTER -> world.client(PUT).migrators(2);
      case TURN_BY_STAGE -> world.client(OLD_DELETE).migrators(2);
      case TURN_ONCE -> world.client(OLD_DELETE).migrators(3).with(ROLLBACK, SECOND_MIGRATION);
      case STAMP -> world.client(PUT).migrators(2).with(ROLLBACK, SECOND_MIGRATION);
      case MOVER_WRITES_ONCE -> world.client(OVERWRITE, OVERWRITE).with(RETRIES);
      case INCREMENT_ONCE -> world.client(INCREMENT).with(TIMEOUTS);
      case TRACKED_AFTER_SWITCH -> world.client(PUT).with(ROLLBACK);
      case CLOCKS -> world.client(PUT, PUT).with(SKEW);
      default -> world.client(PUT, PUT);
    };
  }
}
