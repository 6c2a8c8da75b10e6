/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.guard.SinkQuestion;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps of the salt of a replicated table are taken on both clusters. */
@Timeout(300)
class PeerStepIT extends ReplicatedTable {
  @Tag("ci")
  @Test
  void rowsFromTheStepOnAreRewrittenOnBothClusters() throws Exception {
    Layout before = Layout.parse("salt(4) + no:int64");
    Layout after = Layout.parse("salt(4; 8 from no 50) + no:int64");
    TableName steps = TableName.valueOf(name + "-steps");
    peer.create(steps, before);
    source.create(steps, before);
    SpreadTable table = source.tables().open(steps);
    for (long no = 0; no < 100; no++) {
      table.put(numbered(no, "0"));
    }
    MigrationPlan plan =
        MigrationPlan.of(steps, after).rewriting(MigrationPlan.Rewriting.FROM_STEP);
    for (Stage end : List.of(Stage.ROLLED_BACK, Stage.FINISHED)) {
      String value = end.name();
      try (Migrator migrator = begin(plan, MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
      }
      assertThat(peer.migration(steps).kind()).isInstanceOf(Kind.StepWithRewriting.class);
      table.put(numbered(60, value));
      table.delete(new Delete(numbered(61, value).getRow()));
      awaitSame(steps);
      go(source, steps, Stage.SWITCHED);
      table.put(numbered(62, value));
      table.put(numbered(200, value));
      table.delete(new Delete(numbered(63, value).getRow()));
      go(source, steps, end);
      assertThat(peer.stage(steps)).isEqualTo(end);
      table.put(numbered(64, value));
      awaitSame(steps);
      assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(99);
    }
    assertThat(peer.tables().open(steps).layout()).isEqualTo(after);
  }

  /** Kills the run when the source writes rows at or after the step, and the peer has no step. */
  private static MigrationListener killingBetweenClusters() {
    return new MigrationListener() {
      private Stage last = Stage.PREPARING;

      @Override
      public void stage(Migration at) {
        last = at.stage();
      }

      @Override
      public void progress(double share, long rows) {
        if (last == Stage.SWITCHING) {
          throw new Killed();
        }
      }
    };
  }

  /** A put of the time when the source had no step. */
  private static Put replicated(long no, long turn) {
    Put put = new Put(FEW.encode(Values.of("no", no))).addColumn(D, Q, Bytes.toBytes("late"));
    put.setClusterIds(List.of(new UUID(1, 2)));
    put.setAttribute(GuardAttributes.SOURCE_LAYOUT, Bytes.toBytes(FEW.toString()));
    if (turn > 0) {
      put.setAttribute(GuardAttributes.SOURCE_TURN, GuardAttributes.number(turn));
    }
    return put;
  }

  @Tag("ci")
  @Test
  void bothClustersTakeStepsInPlace() throws Exception {
    TableName steps = createNumbered();
    SpreadTable table = source.tables().open(steps);
    try (Migrator migrator = begin(MigrationPlan.of(steps, MORE), killingBetweenClusters())) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    assertThat(peer.stage(steps)).isNull();
    table.put(numbered(7, "before"));
    awaitSame(steps);
    table.put(numbered(1_000, "after"));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> SinkQuestion.ask(peer.plain(), steps).refusedLayout().equals("" + MORE));
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(100);
    go(source, steps, Stage.FINISHED);
    assertThat(peer.stage(steps)).isEqualTo(Stage.FINISHED);
    assertThat(peer.tables().open(steps).layout()).isEqualTo(MORE);
    awaitSame(steps);
    // Of before the step, of a source that was created again, and of one that tells no turn.
    try (Table stored = peer.plain().getTable(steps)) {
      stored.put(List.of(replicated(1_001, 1), replicated(1_002, 0)));
      assertThatThrownBy(() -> stored.put(replicated(1_003, 99)))
          .hasStackTraceContaining("replication brings a row that does not fit");
    }
    Layout most = Layout.parse("salt(4; 8 from no 1000, 16 from no 2000) + no:int64");
    try (Migrator migrator =
        begin(
            MigrationPlan.of(steps, most).rewriting(MigrationPlan.Rewriting.FROM_STEP),
            MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    assertThat(peer.tables().open(steps).layout()).isEqualTo(most);
    // Then HBase sends the current log again from its beginning.
    link(false);
    link(true);
    table.put(numbered(2_000, "again"));
    awaitSame(steps);
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(102);
  }

  @Tag("ci")
  @Test
  void aPeerTakesTheStepWhenTheDeletesOfLaterRowsHaveArrived() throws Exception {
    TableName steps = createNumbered();
    SpreadTable table = source.tables().open(steps);
    List<String> waited = new ArrayList<>();
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void stage(Migration at) {
            if (at.stage() == Stage.PREPARING) {
              try {
                table.put(numbered(1_500, "deleted"));
                awaitSame(steps);
                link(false);
                table.delete(new Delete(numbered(1_500, "").getRow()));
                compact(source, steps);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          }

          @Override
          public void waiting(String peerId, String reason) {
            waited.add(reason);
            try {
              table.put(numbered(1_600, "after"));
              assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(101);
              link(true);
              await()
                  .atMost(Duration.ofMinutes(1))
                  .untilAsserted(
                      () -> assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(100));
              compact(peer, steps);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    try (Migrator migrator = begin(MigrationPlan.of(steps, MORE), listener)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    } finally {
      link(true);
    }
    assertThat(waited).singleElement().asString().contains("no=1500").contains("major_compact");
    awaitSame(steps);
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(101);
    try (Migrator migrator =
        begin(
            MigrationPlan.of(
                steps, Layout.parse("salt(4; 8 from no 1000, 16 from no 1601) + no:int64")),
            MigrationListener.NONE)) {
      migrator.run();
    }
    awaitSame(steps);
  }

  private static void compact(PeerCluster side, TableName table) throws IOException {
    try (Admin admin = side.plain().getAdmin()) {
      admin.flush(table);
      admin.majorCompact(table);
      Scan raw = new Scan().setRaw(true).setAttribute(GuardAttributes.RAW, new byte[0]);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                try (Table stored = side.plain().getTable(table);
                    ResultScanner rows = stored.getScanner(raw)) {
                  assertThat(rows).hasSize(100);
                }
              });
    }
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"FINISHED", "ROLLED_BACK"})
  void thePeerTakesOverWhileItTakesAStep(Stage end) throws Exception {
    TableName steps = createNumbered();
    MigrationListener killing =
        new MigrationListener() {
          @Override
          public void stage(Migration at) {
            // Of the source.
          }

          @Override
          public void peerStage(String peerId, Migration at) {
            if (at.stage() == Stage.CLOSING) {
              throw new Killed();
            }
          }
        };
    try (Migrator migrator = begin(MigrationPlan.of(steps, MORE), killing)) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    source.tables().open(steps).put(numbered(8, "arrives"));
    awaitSame(steps);
    Migrator.continueAlone(peer.plain(), peer.registry(), steps);
    go(peer, steps, end);
    SpreadTable taken = peer.tables().open(steps);
    assertThat(taken.layout()).isEqualTo(end == Stage.FINISHED ? MORE : FEW);
    taken.put(numbered(1_000, "taken"));
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(101);
  }
}
