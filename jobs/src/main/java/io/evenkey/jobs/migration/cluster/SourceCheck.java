/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import static io.evenkey.jobs.migration.Act.Generation.SOURCE;

import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.StateChange;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.Transition;
import io.evenkey.jobs.migration.generation.Generations;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * On a peer: a generation is left when the source has left it for good, and both clusters have the
 * same rows of it. Replication brings entries of several region servers in any order, and says of
 * none that it is the last: so all rows are compared, and not its position. A step in place is
 * taken when the source has taken it for good.
 */
record SourceCheck(Connection plain, MigrationRecord record, GuardControl guard)
    implements Coordination {
  @Override
  public void check(Transition line) throws IOException {
    try (OtherCluster source = source()) {
      if (record.migration().kind() instanceof Kind.StepInPlace) {
        guard.apply(left(line), record.turn(), StateChange.stepped(turnOfStep(source)));
      } else if (line.stage() == Stage.SWITCHED && line.way() == Transition.Way.FORWARD) {
        Stage there = stage(source);
        if (there != Stage.FINISHING && there != Stage.FINISHED) {
          throw early(there, Stage.FINISHED);
        }
      } else {
        compare(source, line);
      }
    }
  }

  @Override
  public void checkArrived(Transition line) throws IOException {
    try (OtherCluster source = source()) {
      long turn = compare(source, line);
      guard.apply(left(line), record.turn(), StateChange.arrived(turn));
    }
  }

  /** Returns a turn by which the source has the step, and cannot go back any more. */
  private long turnOfStep(OtherCluster source) throws IOException {
    Stage there = stage(source);
    if (!there.usesTarget()) {
      throw early(there, Stage.SWITCHING);
    }
    return TableGuard.state(new Generations(source.plain()).descriptor(record.migration().source()))
        .turn();
  }

  private OtherCluster source() throws IOException {
    return OtherCluster.source(plain, record.migration().clusters().source());
  }

  private TableName left(Transition line) {
    Migration here = record.migration();
    return line.primary() == SOURCE ? here.source() : here.target();
  }

  private Stage stage(OtherCluster source) throws IOException {
    Migration here = record.migration();
    return source
        .migration(here.table())
        .filter(there -> there.target().equals(here.target()))
        .filter(there -> there.clusters().sinceTurn() == here.clusters().sinceTurn())
        .map(Migration::stage)
        .orElseThrow(
            () ->
                new MigrationException(
                    here.table(),
                    "source cluster has no migration of the table that this one follows",
                    "source=" + here.clusters().source(),
                    Remedy.ROLL_BACK + "; or, if that cluster is lost, " + Remedy.CONTINUE_ALONE));
  }

  /** Returns the turn of the generation at the source, if no row of it is missing here. */
  private long compare(OtherCluster source, Transition line) throws IOException {
    Stage there = stage(source);
    boolean hasLeft =
        line.primary() == SOURCE
            ? there.usesTarget() && there != Stage.RETURNING
            : there == Stage.ABANDONING || there == Stage.ROLLED_BACK;
    if (!hasLeft) {
      throw early(there, line.primary() == SOURCE ? Stage.SWITCHED : Stage.ROLLED_BACK);
    }
    TableName left = left(line);
    GuardState state = TableGuard.state(new Generations(source.plain()).descriptor(left));
    if (state.mode() != GuardMode.CLOSED) {
      throw early(there, Stage.SWITCHED);
    }
    try (GuardControl guards = GuardControl.open(source.plain())) {
      guards.settle(left);
    }
    new ClusterComparison(source.plain(), plain).checkLeft(record.migration(), left);
    return state.turn();
  }

  private MigrationException early(Stage there, Stage needed) {
    return new MigrationException(
        record.migration().table(),
        "migration at the source cluster has not come as far as this one needs",
        "source="
            + record.migration().clusters().source()
            + " stage="
            + there
            + " needed="
            + needed,
        "go on with it there; or, if that cluster is lost, " + Remedy.CONTINUE_ALONE);
  }
}
