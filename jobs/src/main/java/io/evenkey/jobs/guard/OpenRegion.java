/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region of a table, or a replica of one, as hbase:meta has it now. The master writes there that
 * a region is opening on a server before that server begins to open it.
 *
 * @param info the region
 * @param server the server that has it open, as HBase writes its name; empty if the region is in
 *     transition
 */
record OpenRegion(RegionInfo info, String server) {
  private static final String STATE = "state";

  /** The states of regions that were split or merged. */
  private static final Set<String> GONE = Set.of("SPLIT", "MERGED");

  /** All regions of a table, and their replicas, but those that were split or merged. */
  static List<OpenRegion> of(Connection plain, TableName table) throws IOException {
    List<OpenRegion> regions = new ArrayList<>();
    // hbase:meta orders rows by the table's name, up to the first comma, then by the start key.
    Scan scan =
        new Scan()
            .addFamily(HConstants.CATALOG_FAMILY)
            .withStartRow((table.getNameAsString() + ",,").getBytes(StandardCharsets.UTF_8))
            .withStopRow((table.getNameAsString() + " ,,").getBytes(StandardCharsets.UTF_8));
    try (Table meta = plain.getTable(TableName.META_TABLE_NAME);
        ResultScanner rows = meta.getScanner(scan)) {
      for (Result row : rows) {
        RegionInfo info =
            RegionInfo.parseFromOrNull(
                row.getValue(HConstants.CATALOG_FAMILY, HConstants.REGIONINFO_QUALIFIER));
        String state = text(row, STATE);
        if (info != null
            && info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
            // HBase leaves some parents of splits in the state CLOSED.
            && !info.isSplit()
            && !GONE.contains(state)) {
          regions.add(new OpenRegion(info, state.equals("OPEN") ? server(row, "") : ""));
          regions.addAll(replicas(info, row));
        }
      }
    }
    return regions;
  }

  // HBase has the columns of a replica in the row of the region: state_0001, server_0001.
  private static List<OpenRegion> replicas(RegionInfo primary, Result row) {
    List<OpenRegion> replicas = new ArrayList<>();
    for (byte[] qualifier : row.getFamilyMap(HConstants.CATALOG_FAMILY).keySet()) {
      String column = Bytes.toString(qualifier);
      if (column.startsWith(STATE + "_")) {
        String suffix = column.substring(STATE.length());
        int id = Integer.parseInt(suffix.substring(1), 16);
        replicas.add(
            new OpenRegion(
                RegionReplicaUtil.getRegionInfoForReplica(primary, id),
                text(row, column).equals("OPEN") ? server(row, suffix) : ""));
      }
    }
    return replicas;
  }

  private static String server(Result row, String suffix) {
    byte[] code =
        row.getValue(
            HConstants.CATALOG_FAMILY, Bytes.toBytes(HConstants.STARTCODE_QUALIFIER_STR + suffix));
    String host = text(row, HConstants.SERVER_QUALIFIER_STR + suffix);
    return code == null || host.isEmpty()
        ? ""
        : ServerName.valueOf(host, Bytes.toLong(code)).toString();
  }

  private static String text(Result row, String qualifier) {
    byte[] value = row.getValue(HConstants.CATALOG_FAMILY, Bytes.toBytes(qualifier));
    return value == null ? "" : Bytes.toString(value);
  }
}
