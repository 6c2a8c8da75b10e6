/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.server.hooks.Hooks;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Has the guard of a replicated table add the table's layout to the entries of bulk-loaded files in
 * a write-ahead log. HBase calls no hook of a region's for these entries. Thread-safe.
 *
 * @param regions those of the log's server
 */
record BulkLoadEntries(OnlineRegions regions) implements WALActionsListener {
  private static final Set<WAL> LOGS =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Listens to the log of a region, if nothing does yet. */
  static void listenTo(HRegion region, OnlineRegions regions) {
    WAL log = region.getWAL();
    if (log != null && LOGS.add(log)) {
      log.registerWALActionsListener(new BulkLoadEntries(regions));
    }
  }

  @Override
  public void visitLogEntryBeforeWrite(RegionInfo info, WALKey key, WALEdit edit) {
    if (edit.isMetaEdit() && isOfBulkLoad(edit)) {
      // A failure leaves the layout unknown where the entry is replicated to.
      Hooks.attempt("visitLogEntryBeforeWrite", info, () -> append(info, key));
    }
  }

  private static boolean isOfBulkLoad(WALEdit edit) {
    return edit.getCells().stream()
        .anyMatch(cell -> CellUtil.matchingQualifier(cell, WALEdit.BULK_LOAD));
  }

  private void append(RegionInfo info, WALKey key) throws IOException {
    if (regions.getRegion(info.getEncodedName()) instanceof HRegion region) {
      LayoutGuard guard = region.getCoprocessorHost().findCoprocessor(LayoutGuard.class);
      if (guard != null) {
        guard.appendFiles(key);
      }
    }
  }
}
