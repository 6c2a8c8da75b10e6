/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.guard.ReplicationQuestion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bulk-loaded files that another cluster replicates.
 *
 * @param table the table that they are loaded into
 * @param layout the line of the layout there
 * @param cluster the id of that cluster
 */
record SourceFiles(TableName table, String layout, String cluster) {
  private static final Logger LOG = LoggerFactory.getLogger(SourceFiles.class);
  private static final byte[] FIRST_ROW = {0};
  private static final int TIMEOUT_MS = 10_000;

  /** The files of a request whose layouts the source tells. */
  static Set<SourceFiles> in(AdminProtos.ReplicateWALEntryRequest request) {
    Set<SourceFiles> all = new LinkedHashSet<>();
    for (AdminProtos.WALEntry entry : request.getEntryList()) {
      WALProtos.WALKey key = entry.getKey();
      for (WALProtos.Attribute attribute : key.getExtendedAttributesList()) {
        if (attribute.getKey().equals(GuardAttributes.SOURCE_FILES)) {
          all.add(
              new SourceFiles(
                  TableName.valueOf(key.getTableName().toByteArray()),
                  attribute.getValue().toStringUtf8(),
                  cluster(key)));
        }
      }
    }
    return all;
  }

  private static String cluster(WALProtos.WALKey key) {
    if (key.getClusterIdsCount() == 0) {
      return "unknown";
    }
    HBaseProtos.UUID id = key.getClusterIds(0);
    return new UUID(id.getMostSigBits(), id.getLeastSigBits()).toString();
  }

  /**
   * Asks the guard of the table, which may be of another server.
   *
   * @throws IOException if the layout of the table is another one
   */
  void check(Connection connection) throws IOException {
    try (Table asked =
        connection
            .getTableBuilder(table, null)
            .setOperationTimeout(TIMEOUT_MS)
            .setRpcTimeout(TIMEOUT_MS)
            .build()) {
      asked.get(question());
    } catch (DoNotRetryIOException e) {
      // A guard of an earlier version does not know the question, and HBase rejects what it cannot
      // load.
      if (Refusal.of(e).equals(Optional.of(Refusal.UNSTAMPED))) {
        LOG.error("bulk-loaded files are not accepted", e);
        throw e;
      }
    }
  }

  private Get question() {
    Get get = new Get(FIRST_ROW).setCacheBlocks(false).setMaxResultsPerColumnFamily(1);
    get.setAttribute(GuardAttributes.ASK, ReplicationQuestion.FILES.toBytes());
    get.setAttribute(GuardAttributes.SOURCE_FILES, layout.getBytes(StandardCharsets.UTF_8));
    get.setAttribute(GuardAttributes.SOURCE_CLUSTER, cluster.getBytes(StandardCharsets.UTF_8));
    return get;
  }
}
