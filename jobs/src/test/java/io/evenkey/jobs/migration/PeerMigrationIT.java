/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A replicated table is migrated with its peer, on two clusters. */
@Timeout(300)
class PeerMigrationIT extends ReplicatedTable {
  @Tag("ci")
  @Test
  void theSourceSwitchesWhenAPeerHasAllRows() throws Exception {
    awaitSame();
    try (Table stored = peer.plain().getTable(name)) {
      stored.delete(new Delete(LAYOUT.physical(key("row-7"))));
    }
    List<String> told = new ArrayList<>();
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void stage(Migration at) {}

          @Override
          public void waiting(String peerId, String reason) {
            told.add(peerId + ": " + reason);
            try {
              assertThat(source.stage(name)).isEqualTo(Stage.READY);
              assertThat(peer.stage(name)).isEqualTo(Stage.READY);
              source.put(name, "row-7", "1");
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    try (Migrator migrator = begin(Stage.SWITCHED, listener)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
    }
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("b: replication has not brought all rows")
        .contains("row-7");
    go(source, Stage.ROLLED_BACK);
    assertThat(peer.stage(name)).isEqualTo(Stage.ROLLED_BACK);
    awaitSame();
  }

  @Tag("ci")
  @Test
  void bothClustersSwitchAndFinishUnderLoad() throws Exception {
    // As of an earlier source, whose migrations had these turns.
    try (Admin admin = peer.plain().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(GuardState.ARRIVED_KEY, "50")
              .build());
    }
    try (Load load = new Load();
        Migrator migrator = begin(Stage.SWITCHED, MigrationListener.NONE)) {
      load.begun();
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
      assertThat(peer.stage(name)).isEqualTo(Stage.SWITCHED);
    }
    awaitSame();
    go(source, Stage.FINISHED);
    assertThat(peer.stage(name)).isEqualTo(Stage.FINISHED);
    source.put(name, "after", "1");
    awaitSame();
    assertThat(peer.rows(name)).containsEntry("after", "1");
    // Then HBase sends the current log again from its beginning.
    link(false);
    link(true);
    source.put(name, "again", "2");
    awaitSame();
  }

  @Tag("ci")
  @Test
  void replicationGoesOnWhenAServerDiesThatWroteCopies() throws Exception {
    try (Migrator migrator = begin(Stage.READY, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
    }
    // The last entries of the next generation's regions in its log are copies.
    ServerName server = source.hbase().servers().get(0);
    source.hbase().startServer();
    source.hbase().kill(server);
    source.put(name, "after", "1");
    awaitSame();
    go(source, Stage.FINISHED);
    source.put(name, "finished", "2");
    awaitSame();
  }

  private enum End {
    FINISHED,
    ROLLED_BACK,
    ROLLED_BACK_ALONE
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(End.class)
  void bothClustersGetAnotherRowKey(End end) throws Exception {
    TableName orders = TableName.valueOf(name + "-orders");
    peer.create(orders, KeyChangeTraffic.BY_NUMBER);
    source.create(orders, KeyChangeTraffic.BY_NUMBER);
    MigrationPlan plan =
        MigrationPlan.of(orders, KeyChangeTraffic.BY_CUSTOMER)
            .changingKey(IndexParser.columns(KeyChangeTraffic.CUSTOMER_COLUMN))
            .aimFor(Stage.SWITCHED);
    try (KeyChangeTraffic traffic = KeyChangeTraffic.byFields(source.plain(), orders);
        SpreadTables here = KeyChangeTraffic.tablesByFields(source.plain());
        SpreadTables there = KeyChangeTraffic.tablesByFields(peer.plain())) {
      traffic.start(1);
      traffic.start(2);
      traffic.awaitWrites(300);
      byte[] incomplete = KeyChangeTraffic.key(9_001);
      peer.tables().open(orders).put(new Put(incomplete).addColumn(D, Q, Q));
      try (Migrator migrator = begin(plan, MigrationListener.NONE)) {
        assertThatThrownBy(migrator::run)
            .hasMessageContaining("migration on a replication peer has stopped")
            .hasMessageContaining("peer=b reason=row cannot be copied")
            .hasMessageContaining("row lacks a column");
      }
      peer.tables().open(orders).delete(new Delete(incomplete));
      go(source, orders, Stage.SWITCHED);
      assertThat(peer.stage(orders)).isEqualTo(Stage.SWITCHED);
      assertThat(there.open(orders).layout()).isEqualTo(KeyChangeTraffic.BY_CUSTOMER);
      traffic.awaitWrites(300);
      if (end == End.ROLLED_BACK_ALONE) {
        traffic.stop();
        PeerCluster.awaitSame(here, there, orders);
        Migrator.continueAlone(peer.plain(), peer.registry(), orders);
        go(peer, orders, Stage.ROLLED_BACK);
        traffic.check(there.open(orders));
        return;
      }
      go(source, orders, Stage.valueOf(end.name()));
      assertThat(peer.stage(orders)).isEqualTo(source.stage(orders));
      traffic.awaitWrites(100);
      traffic.stop();
      traffic.check(here.open(orders));
      PeerCluster.awaitSame(here, there, orders);
    }
    for (PeerCluster side : List.of(source, peer)) {
      try (Admin admin = side.plain().getAdmin()) {
        assertThat(admin.tableExists(NextKeys.table(Migration.next(orders, orders)))).isFalse();
      }
    }
  }

  private static Put replicated(String id, long turn) {
    Put put = new Put(LAYOUT.physical(key(id))).addColumn(D, Q, Bytes.toBytes("late"));
    put.setClusterIds(List.of(new UUID(1, 2)));
    put.setAttribute(GuardAttributes.SOURCE_TURN, GuardAttributes.number(turn));
    return put;
  }

  /** A put of a source that tells no turn. */
  private static Put replicated(String id, Layout layout) {
    Put put = replicated(id, 0);
    put.setAttribute(GuardAttributes.SOURCE_TURN, null);
    put.setAttribute(
        GuardAttributes.SOURCE_LAYOUT, layout.toString().getBytes(StandardCharsets.UTF_8));
    return put;
  }

  @Tag("ci")
  @Test
  void whatIsReplicatedAfterTheComparisonIsAcknowledgedAndDropped() throws Exception {
    awaitSame();
    try (Admin admin = peer.plain().getAdmin();
        Table stored = peer.plain().getTable(name)) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(GuardState.ARRIVED_KEY, "7")
              .build());
      stored.put(List.of(replicated("a", 6), replicated("b", 8), replicated("c", 7)));
      stored.put(replicated("d", 7));
      stored.put(replicated("row-1", 1));
      // Of before the first migration there, or of a source that was created again.
      stored.put(replicated("row-2", NEXT));
      stored.put(replicated("row-3", LAYOUT));
    }
    assertThat(peer.rows(name))
        .hasSize(101)
        .containsEntry("b", "late")
        .containsEntry("row-1", "0")
        .containsEntry("row-2", "0")
        .containsEntry("row-3", "late");
  }

  @Tag("ci")
  @ParameterizedTest
  @ValueSource(strings = {"READY", "SWITCHED"})
  void bothClustersGoBack(Stage from) throws Exception {
    try (Load load = new Load()) {
      load.begun();
      try (Migrator migrator = begin(from, MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(from);
      }
      go(source, Stage.ROLLED_BACK);
    }
    assertThat(peer.stage(name)).isEqualTo(Stage.ROLLED_BACK);
    awaitSame();
    source.put(name, "after", "1");
    awaitSame();
    assertThat(peer.rows(name)).containsEntry("after", "1");
    try (Migrator migrator = begin(Stage.FINISHED, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    awaitSame();
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"FINISHED", "ROLLED_BACK"})
  void bothClustersGiveTheTableItsOwnName(Stage end) throws Exception {
    TableName next = Migration.next(name, name);
    boolean isFinished = end == Stage.FINISHED;
    TableIndex index =
        TableIndex.parse("by_q mutable joining as \"salt(2) + q:string\" from q=d:q");
    new IndexAddition(name, index, 2, 0).run(source.plain(), source.registry(), IndexListener.NONE);
    long last;
    try (Load load = new Load()) {
      load.begun();
      try (Migrator migrator = begin(Stage.FINISHED, MigrationListener.NONE)) {
        migrator.run();
      }
      last = state(name).turn();
      try (Migrator migrator =
          rename(isFinished ? MigrationListener.NONE : killingAt(Stage.SWITCHED))) {
        if (isFinished) {
          migrator.run();
        } else {
          assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
        }
      }
      if (!isFinished) {
        assertThat(peer.stage(name)).isEqualTo(Stage.READY);
        go(peer, Stage.ROLLED_BACK);
      }
      go(source, end);
    }
    awaitSame();
    TableName used = isFinished ? name : next;
    TableName left = isFinished ? next : name;
    for (PeerCluster side : List.of(source, peer)) {
      assertThat(side.migration(name).generation()).isEqualTo(used);
      try (Admin admin = side.plain().getAdmin()) {
        assertThat(admin.tableExists(left)).isEqualTo(side.equals(peer));
      }
    }
    // HBase sends the current log again from its beginning, with entries of both generations.
    link(false);
    link(true);
    source.put(name, "again", "2");
    awaitSame();
    try (Table stored = peer.plain().getTable(name)) {
      stored.put(replicated("row-1", last));
      stored.put(replicated("row-1", LAYOUT));
    }
    assertThat(peer.rows(name)).isEqualTo(source.rows(name));
    try (Migrator migrator =
        begin(MigrationPlan.of(name, LAYOUT).aimFor(Stage.FINISHED), MigrationListener.NONE)) {
      migrator.run();
    }
    source.put(name, "after", "3");
    awaitSame();
    assertThat(peer.rows(name)).containsEntry("after", "3");
    try (KeyedRows rows = source.tables().open(name).select().by("by_q").open()) {
      assertThat(rows).hasSameSizeAs(source.rows(name).keySet());
    }
  }

  /** At the source. */
  private static GuardState state(TableName generation) throws IOException {
    try (Admin admin = source.plain().getAdmin()) {
      return TableGuard.state(admin.getDescriptor(generation));
    }
  }

  private Migrator rename(MigrationListener listener) throws IOException {
    return Migrator.rename(source.plain(), source.registry(), name, settings(), listener);
  }

  private static MigrationListener killingAt(Stage dies) {
    return new MigrationListener() {
      @Override
      public void stage(Migration at) {
        if (at.stage() == dies) {
          throw new Killed();
        }
      }
    };
  }

  private static void serial(boolean serial) throws IOException {
    try (Admin admin = source.plain().getAdmin()) {
      admin.updateReplicationPeerConfig(
          "b",
          ReplicationPeerConfig.newBuilder(admin.getReplicationPeerConfig("b"))
              .setSerial(serial)
              .build());
    }
  }

  @Tag("ci")
  @Test
  void whatCannotBeMigratedIsRejectedBeforeItBegins() throws Exception {
    link(false);
    try {
      assertThatThrownBy(() -> begin(Stage.READY, MigrationListener.NONE))
          .hasMessageContaining("peer is disabled")
          .hasMessageContaining("enable_peer 'b'");
    } finally {
      link(true);
    }
    serial(false);
    try {
      assertThatThrownBy(() -> begin(Stage.READY, MigrationListener.NONE))
          .hasMessageContaining("peer is not serial")
          .hasMessageContaining("set_peer_serial 'b', true");
    } finally {
      serial(true);
    }
    TableName steps = createNumbered();
    peer.tables().open(steps).put(numbered(1_500, "of the peer's own"));
    assertThatThrownBy(() -> begin(MigrationPlan.of(steps, MORE), MigrationListener.NONE))
        .hasMessageContaining("peer has rows at or after the step")
        .hasMessageContaining("no=1500");
    assertThat(source.stage(steps)).isNull();
    peer.replicateTo(source, "a");
    try {
      assertThatThrownBy(() -> begin(Stage.READY, MigrationListener.NONE))
          .hasMessageContaining("peer replicates its table too")
          .hasMessageContaining("have applications write on this cluster only");
    } finally {
      try (Admin admin = peer.plain().getAdmin()) {
        admin.removeReplicationPeer("a");
      }
    }
    assertThat(source.stage(name)).isNull();
    assertThat(peer.stage(name)).isNull();
  }
}
