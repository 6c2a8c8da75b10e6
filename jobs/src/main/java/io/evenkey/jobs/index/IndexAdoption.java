/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.trace.JobSpan;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Takes over an index that this cluster's registry knows nothing of, because its table and that of
 * its entries were restored here from snapshots or a backup. These are of two moments, so clients
 * do not read the index until it was compared with the rows and repaired. Stateless.
 */
public final class IndexAdoption {
  private IndexAdoption() {}

  /**
   * Takes the index over, or goes on with that. Clients read it on return.
   *
   * @param plain a connection to which rows are what is stored
   * @return the comparison with the differences that were repaired
   * @throws IndexLifeException if the table has no such index, the registry knows it, its table is
   *     not there, or there are differences that cannot be repaired
   * @throws io.evenkey.jobs.guard.GuardException if servers are without the guard
   */
  public static IndexReport run(
      Connection plain, Registry registry, TableName table, String name, IndexListener listener)
      throws IOException {
    return JobSpan.around(
        "ADOPT_INDEX", table, () -> adopt(plain, registry, table, name, listener));
  }

  private static IndexReport adopt(
      Connection plain, Registry registry, TableName table, String name, IndexListener listener)
      throws IOException {
    try (IndexControl control = IndexControl.open(plain, registry, table, "adopt " + name)) {
      control.checkGuard();
      TableIndex index = control.existing(name);
      check(control, index);
      checkEntries(control, index);
      listener.begins(IndexListener.Phase.JOIN);
      TableIndex closed = closed(control, index);
      Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      registry.indexes().store(begun(table, name, now));
      registry.layouts().record(control.entries(index).table(), index.layout().toString());
      return opened(control, closed, listener);
    }
  }

  /**
   * Whether the table of a known index was restored or emptied: clients do not read it though it
   * was filled.
   */
  static boolean isClosed(IndexControl control, TableIndex index) throws IOException {
    boolean unread = index.state() == IndexState.JOINING || index.state() == IndexState.BUILDING;
    IndexWork known = control.registry().indexes().get(control.table(), index.name()).orElse(null);
    return unread && known != null && known.filling().finished() != null;
  }

  /** Compares such an index with the rows, repairs it, and opens it to readers. */
  static IndexReport open(IndexControl control, TableIndex index, IndexListener listener)
      throws IOException {
    control.checkGuard();
    checkEntries(control, index);
    listener.begins(IndexListener.Phase.JOIN);
    return opened(control, closed(control, index), listener);
  }

  // All clients write entries from then on.
  private static TableIndex closed(IndexControl control, TableIndex index) throws IOException {
    return index.state() == IndexState.BUILDING
        ? index
        : control.change(index, IndexState.BUILDING);
  }

  private static IndexReport opened(IndexControl control, TableIndex closed, IndexListener listener)
      throws IOException {
    IndexReport report = IndexVerification.repaired(control, closed, listener);
    if (!report.isComplete()) {
      throw IndexLifeException.of(
          control.table(),
          "rows and index differ after the repair",
          "index=" + closed.name() + " " + report.leftCounts(),
          report.remedies() + "; then repeat the command");
    }
    new EntriesTable(control, closed).copyQuotas();
    control.change(closed, IndexState.PUBLIC);
    return report;
  }

  private static void checkEntries(IndexControl control, TableIndex index) throws IOException {
    String name = index.name();
    if (EntriesTable.find(control, name) != EntriesTable.NameHolder.OWN) {
      throw IndexLifeException.of(
          control.table(),
          "table of the index does not exist",
          "index=" + name + " entries=" + control.entries(index).table(),
          "restore it too, or " + Remedy.DROP_INDEX + " and add it again");
    }
  }

  private static void check(IndexControl control, TableIndex index) throws IOException {
    if (index.state() == IndexState.CLOSING) {
      throw IndexLifeException.of(
          control.table(),
          "index is being dropped",
          "index=" + index.name(),
          Remedy.DROP_INDEX + ", then add it again");
    }
    IndexWork known = control.registry().indexes().get(control.table(), index.name()).orElse(null);
    if (known != null && !isClosed(control, index)) {
      throw IndexLifeException.of(
          control.table(),
          "registry knows the index already",
          "index=" + index.name() + " state=" + index.state(),
          index.state() == IndexState.PUBLIC
              ? Remedy.VERIFY_INDEX.toString()
              : Remedy.ADD_INDEX.toString());
    }
  }

  // The entries are there: what was not written is for the repair.
  private static IndexWork begun(TableName table, String name, Instant now) {
    IndexWork begun = IndexWork.begun(table, name, ByteText.hex(RowEntries.nonce()), now);
    return begun.with(
        new IndexWork.Filling(
            begun.filling().nonce(), List.of(new IndexWork.Range("", "")), 0, 0, 0, now));
  }
}
