/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.SinkQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.ReplicatedWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.replication.ReplicationPeerConfigUtil;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;
import org.jspecify.annotations.Nullable;

/**
 * Checks that rows that other clusters replicate to spread tables are taken, and that the peers of
 * a cluster can take the rows of the tables that are replicated to them: the guard of a peer
 * rejects rows of another layout, and HBase then repeats them for ever, and replicates nothing that
 * was written after them.
 */
record ReplicationCheck(Connection connection) implements Check {
  private static final int TIMEOUT_MS = 10_000;
  private static final String NONE = "none";

  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableDescriptor table : SpreadTableList.of(admin)) {
        findings.addAll(ofSink(table, SinkQuestion.ask(connection, table.getTableName())));
      }
      List<TableDescriptor> tables = replicated(admin);
      if (tables.isEmpty()) {
        return findings;
      }
      for (ReplicationPeerDescription peer : admin.listReplicationPeers()) {
        List<TableDescriptor> sent =
            tables.stream().filter(table -> isSent(peer.getPeerConfig(), table)).toList();
        if (peer.isEnabled() && !sent.isEmpty()) {
          findings.addAll(findings(peer, sent));
        }
      }
    }
    return findings;
  }

  /** The findings about a table to which another cluster replicates. */
  static List<CheckFinding> ofSink(TableDescriptor table, ReplicatedWrites writes) {
    List<CheckFinding> findings = new ArrayList<>();
    if (SinkQuestion.isRecent(writes.refusedMs())) {
      boolean isKnown = !writes.refusedLayout().isEmpty();
      findings.add(
          CheckFinding.problem(
              "rows that another cluster replicates are rejected: table="
                  + table.getTableName()
                  + " layout="
                  + table.getValue(TableLayout.LAYOUT)
                  + " source_layout="
                  + (isKnown ? writes.refusedLayout() : "unknown")
                  + " last="
                  + SinkQuestion.shown(writes.refusedMs()),
              "its log has the row and the reason; if the layout there is another one, create this"
                  + " table again under it: the other cluster sends the rows again until they are"
                  + " accepted; if it only has a step more, resume its migration, which takes the"
                  + " step here too"
                  + (isKnown
                      ? ""
                      : "; rows that fit both layouts were accepted, and are not sent again: run"
                          + " HBase's SyncTable afterwards")));
    }
    if (writes.sinceMs() > 0 && !SinkQuestion.isRecent(writes.admittedMs())) {
      findings.add(
          CheckFinding.advice(
              "another cluster has replicated to the table, but not in the last "
                  + SinkQuestion.RECENT.toMinutes()
                  + " minutes: table="
                  + table.getTableName()
                  + " first_write="
                  + SinkQuestion.shown(writes.sinceMs()),
              "the table is not migrated, grown, renamed or indexed until its operator says that"
                  + " the replication has ended"));
    }
    return findings;
  }

  private static List<TableDescriptor> replicated(Admin admin) throws IOException {
    List<TableDescriptor> tables = new ArrayList<>();
    for (TableDescriptor table : admin.listTableDescriptors()) {
      if (table.hasGlobalReplicationScope()) {
        tables.add(table);
      }
    }
    tables.sort(Comparator.comparing(TableDescriptor::getTableName));
    return tables;
  }

  private static boolean isSent(ReplicationPeerConfig peer, TableDescriptor table) {
    // A peer with an endpoint of its own is no HBase, or has no key of one.
    return peer.getClusterKey() != null && peer.needToReplicate(table.getTableName());
  }

  private List<CheckFinding> findings(
      ReplicationPeerDescription peer, List<TableDescriptor> tables) {
    List<CheckFinding> findings = new ArrayList<>();
    String name = peer.getPeerId();
    try (Connection other = ConnectionFactory.createConnection(impatient(peer));
        Admin admin = other.getAdmin()) {
      for (TableDescriptor table : tables) {
        TableName there = table.getTableName();
        of(name, table, admin.tableExists(there) ? admin.getDescriptor(there) : null)
            .ifPresent(findings::add);
      }
    } catch (IOException | RuntimeException e) {
      findings.add(
          CheckFinding.advice(
              "layouts of a replication peer cannot be read: peer="
                  + name
                  + " cluster="
                  + peer.getPeerConfig().getClusterKey()
                  + " tables="
                  + tables.stream().map(table -> table.getTableName().toString()).toList()
                  + " cause="
                  + FailureMessage.reason(e),
              "compare EVENKEY_LAYOUT of these tables on both clusters by hand"));
    }
    return findings;
  }

  private Configuration impatient(ReplicationPeerDescription peer) throws IOException {
    Configuration conf =
        ReplicationPeerConfigUtil.getPeerClusterConfiguration(
            EvenkeyConnection.plain(connection.getConfiguration()), peer);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_MS);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, TIMEOUT_MS);
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, TIMEOUT_MS);
    conf.setInt("zookeeper.recovery.retry", 0);
    return conf;
  }

  /**
   * The finding about a table and that of a peer.
   *
   * @param there the peer's table; null if there is none
   */
  static Optional<CheckFinding> of(
      String peer, TableDescriptor here, @Nullable TableDescriptor there) throws IOException {
    String where = "table=" + here.getTableName() + " peer=" + peer;
    if (there == null) {
      return problem(
          "replicated table is missing at a peer: " + where,
          "create it there under the layout of this one; nothing is lost, because the source sends"
              + " the rows again");
    }
    String own = layout(here);
    String others = layout(there);
    if (!own.equals(others)) {
      return problem(
          "table is replicated under another layout: "
              + where
              + " layout="
              + own
              + " peer_layout="
              + others,
          "the guard there rejects its rows, and HBase replicates nothing after them; without a"
              + " guard they are written, and not found: "
              + (hasStepsOf(own, others)
                  ? "the migration that has taken the step here takes it there too: resume it; or "
                  : "")
              + "create the peer's table again with the layout of this one, and copy its rows");
    }
    if (!TableLayout.indexes(there).isEmpty()) {
      return problem(
          "table is replicated to one with indexes: "
              + where
              + " indexes="
              + String.join(",", TableLayout.indexes(there).names()),
          "its rows come without entries, and the guard there rejects them: drop the indexes"
              + " there");
    }
    GuardState state = TableGuard.state(there);
    // Both are migrated together otherwise.
    if (state.mode() != GuardMode.OPEN && TableGuard.state(here).mode() == GuardMode.OPEN) {
      return problem(
          "table is replicated to one that is being migrated: " + where + " state=" + state,
          "replication waits while the table there is closed, and cannot go on under another"
              + " layout: roll the migration there back");
    }
    return Optional.empty();
  }

  /** Whether a layout only appends steps to another one. */
  private static boolean hasStepsOf(String longer, String shorter) {
    return !longer.equals(NONE)
        && !shorter.equals(NONE)
        && AppendedSteps.of(Layout.parse(shorter), Layout.parse(longer)).isPresent();
  }

  private static Optional<CheckFinding> problem(String text, String remedy) {
    return Optional.of(CheckFinding.problem(text, remedy));
  }

  // Rows of a layout without a spread are as those of a table without one.
  private static String layout(TableDescriptor table) throws IOException {
    Layout layout = TableLayout.of(table);
    return layout == null || layout.isPlain() ? NONE : layout.toString();
  }
}
