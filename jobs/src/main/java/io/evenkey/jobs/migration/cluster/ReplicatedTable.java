/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardException;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;
import org.jspecify.annotations.Nullable;

/**
 * A table and the peers to which it is replicated, with all that keeps it from being migrated
 * together with them. As thread-safe as the connection.
 */
public final class ReplicatedTable {
  private static final String NOT_MIGRATED = "replicated table cannot be migrated with its peer";

  private final Connection plain;
  private final TableDescriptor table;
  private final List<ReplicationPeerDescription> peers;
  private final List<Migration.Peer> names = new ArrayList<>();
  private long arrived;

  private ReplicatedTable(
      Connection plain, TableDescriptor table, List<ReplicationPeerDescription> peers) {
    this.plain = plain;
    this.table = table;
    this.peers = peers;
  }

  /**
   * The table and its peers.
   *
   * @throws MigrationException if a peer is no cluster, or does not answer
   */
  public static ReplicatedTable of(Connection plain, TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor found = admin.getDescriptor(table);
      List<ReplicationPeerDescription> all = peers(admin, found);
      ReplicatedTable replicated = new ReplicatedTable(plain, found, all);
      for (ReplicationPeerDescription peer : all) {
        replicated.names.add(new Migration.Peer(peer.getPeerId(), replicated.cluster(peer)));
      }
      return replicated;
    }
  }

  /** The peers, in the order of their ids; none if the table is not replicated. */
  public List<Migration.Peer> names() {
    return List.copyOf(names);
  }

  /** The last turn by whose number a peer that was checked drops what is replicated; 0 for none. */
  public long arrived() {
    return arrived;
  }

  private static List<ReplicationPeerDescription> peers(Admin admin, TableDescriptor table)
      throws IOException {
    return scoped(table).isEmpty()
        ? List.of()
        : admin.listReplicationPeers().stream()
            .filter(peer -> peer.getPeerConfig().needToReplicate(table.getTableName()))
            .sorted((one, other) -> one.getPeerId().compareTo(other.getPeerId()))
            .toList();
  }

  private static List<ColumnFamilyDescriptor> scoped(TableDescriptor table) {
    return Arrays.stream(table.getColumnFamilies())
        .filter(family -> family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL)
        .toList();
  }

  private String cluster(ReplicationPeerDescription peer) throws IOException {
    if (peer.getPeerConfig().getClusterKey() == null
        || peer.getPeerConfig().getReplicationEndpointImpl() != null) {
      throw refused(
          peer,
          "peer has an endpoint of its own, behind which no table can be migrated",
          "take the table off this peer, migrate it, and replicate the next generation");
    }
    try (OtherCluster there = OtherCluster.peer(plain, peer);
        Admin admin = there.plain().getAdmin()) {
      return admin.getClusterMetrics().getClusterId();
    } catch (IOException e) {
      throw unreadable(peer, e);
    }
  }

  private IOException unreadable(ReplicationPeerDescription peer, IOException e) {
    // The peer is not to blame, and HBase's exception for it often has no message.
    if (Thread.currentThread().isInterrupted() || e.getClass() == InterruptedIOException.class) {
      return e;
    }
    return refused(
        peer,
        "peer cannot be read: cause=" + FailureMessage.reason(e),
        "make sure that this process reaches it, with R and A on the table there; or remove the peer"
            + " while the table is migrated, and copy it to the peer afterwards");
  }

  /** A requirement of a kind of migration; throws what says that a peer does not meet it. */
  @FunctionalInterface
  public interface Requirement {
    void check(Connection there, GuardControl guard) throws IOException;
  }

  /**
   * Refuses what could not be migrated with all peers.
   *
   * @param name the table as applications call it
   * @param next the next generation
   * @param ofKind of the peer's table
   * @throws MigrationException with the reason, and what to do
   */
  public void check(TableName name, TableName next, Requirement ofKind) throws IOException {
    for (ReplicationPeerDescription peer : peers) {
      checkPeer(peer, next);
      try (OtherCluster there = OtherCluster.peer(plain, peer);
          Admin admin = there.plain().getAdmin()) {
        checkThere(peer, there, admin, name, ofKind);
      } catch (GuardException e) {
        throw refused(peer, String.valueOf(e.getMessage()), "install it there too");
      } catch (MigrationException e) {
        throw e;
      } catch (IOException e) {
        throw unreadable(peer, e);
      }
    }
  }

  private void checkPeer(ReplicationPeerDescription peer, TableName next)
      throws MigrationException {
    ReplicationPeerConfig config = peer.getPeerConfig();
    if (!peer.isEnabled()) {
      throw refused(peer, "peer is disabled", "enable it: enable_peer '" + peer.getPeerId() + "'");
    }
    // Other peers get entries of several tables in one request. If they reject one table's, they do
    // not write the rest, and rows of the left generation would wait for those of the next one.
    if (!config.isSerial()) {
      throw refused(
          peer,
          "peer is not serial, so that entries of both generations may come in one request",
          "make it serial: set_peer_serial '" + peer.getPeerId() + "', true");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (!config.needToReplicate(table.getTableName(), family.getName())
          || family.getScope() == HConstants.REPLICATION_SCOPE_LOCAL) {
        throw refused(
            peer,
            "a family is not replicated, so that both clusters cannot be compared: family="
                + family.getNameAsString(),
            "replicate all families of the table, or none");
      }
      if (!config.needToReplicate(next, family.getName())) {
        throw refused(
            peer,
            "next generation would not be replicated: generation=" + next,
            "add it in HBase's shell: append_peer_tableCFs '"
                + peer.getPeerId()
                + "', {'"
                + next
                + "' => []}");
      }
    }
  }

  private void checkThere(
      ReplicationPeerDescription peer,
      OtherCluster there,
      Admin admin,
      TableName name,
      Requirement ofKind)
      throws IOException {
    TableName own = table.getTableName();
    if (!admin.tableExists(own)) {
      throw refused(peer, "peer has no such table", "create it there with this table's layout");
    }
    TableDescriptor theirs = admin.getDescriptor(own);
    Layout layout = TableLayout.of(table);
    Layout found = TableLayout.of(theirs);
    if (!text(found).equals(text(layout))) {
      throw refused(
          peer,
          "peer's table has another layout: layout=" + text(layout) + " peer_layout=" + text(found),
          "create the peer's table again with the layout of this one, and copy its rows");
    }
    if (!TableLayout.indexes(theirs).isEmpty()) {
      throw refused(
          peer,
          "peer's table has indexes, and replication brings no entries: indexes="
              + String.join(",", TableLayout.indexes(theirs).names()),
          "drop them there");
    }
    Migration last =
        LastMigration.of(there.plain(), there.registry(), name)
            .map(stored -> stored.value())
            .orElse(null);
    if (last != null && !last.stage().isOver()
        || TableGuard.state(theirs).mode() != GuardMode.OPEN) {
      throw refused(
          peer,
          "peer's table is being migrated, or is not in use: stage="
              + (last == null ? "none" : last.stage())
              + " state="
              + TableGuard.state(theirs),
          "finish or roll back its migration there");
    }
    TableName used = last == null ? name : last.generation();
    if (!used.equals(own)) {
      throw refused(
          peer,
          "another generation is in use on the peer: generation="
              + own
              + " peer_generation="
              + used,
          "replicate to the generation that is in use there");
    }
    checkPassive(peer, admin, theirs);
    for (String key : List.of(GuardState.ARRIVED_KEY, GuardState.STEPPED_KEY)) {
      String dropped = theirs.getValue(key);
      arrived = Math.max(arrived, dropped == null ? 0 : Long.parseLong(dropped));
    }
    try (GuardControl guard = GuardControl.open(there.plain())) {
      guard.checkInstalled(own);
      ofKind.check(there.plain(), guard);
    } catch (MigrationException | NotArrivedException e) {
      throw refused(peer, String.valueOf(e.getMessage()), "do so on the peer");
    }
  }

  private void checkPassive(ReplicationPeerDescription peer, Admin admin, TableDescriptor theirs)
      throws IOException {
    List<ReplicationPeerDescription> onward = peers(admin, theirs);
    if (!onward.isEmpty()) {
      throw refused(
          peer,
          "peer replicates its table too: its_peer=" + onward.get(0).getPeerId(),
          "have applications write on this cluster only, and remove that peer there while the table"
              + " is migrated");
    }
  }

  // Rows of a layout without a spread are as those of a table without one.
  private static String text(@Nullable Layout layout) {
    return layout == null || layout.isPlain() ? "none" : layout.toString();
  }

  private MigrationException refused(ReplicationPeerDescription peer, String why, String remedy) {
    return new MigrationException(
        table.getTableName(),
        NOT_MIGRATED,
        "peer="
            + peer.getPeerId()
            + " cluster="
            + peer.getPeerConfig().getClusterKey()
            + " reason="
            + why,
        remedy);
  }
}
