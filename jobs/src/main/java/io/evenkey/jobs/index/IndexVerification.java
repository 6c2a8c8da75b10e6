/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.jobs.trace.JobSpan;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Compares a table with an index of it, in both directions, while clients write: whether each row
 * has its entry, and each entry its row. Stateless.
 */
public final class IndexVerification {
  private IndexVerification() {}

  /** The ways to look at entries. */
  private enum VerificationMode {
    /** Looks for the rows of all entries, and reports those without. */
    COMPARE,
    /** Compares, then removes and settles entries. */
    REPAIR,
    /** Removes and settles entries, of those only that are not settled. */
    SWEEP;

    boolean changes() {
      return this != COMPARE;
    }
  }

  /**
   * Verifies an index that clients read. Without repairs it may be one of a table whose migration
   * waits to be switched or finished. With repairs it may be one that is not read since its table
   * was restored or emptied; clients read it on return.
   *
   * @param plain a connection to which rows are what is stored
   * @param repair writes missing entries, and sweeps those without rows
   * @throws IndexLifeException if there is no such index, or it is being filled or dropped
   */
  public static IndexReport run(
      Connection plain,
      Registry registry,
      TableName table,
      String name,
      boolean repair,
      IndexListener listener)
      throws IOException {
    return JobSpan.around(
        "VERIFY_INDEX", table, () -> verified(plain, registry, table, name, repair, listener));
  }

  private static IndexReport verified(
      Connection plain,
      Registry registry,
      TableName table,
      String name,
      boolean repair,
      IndexListener listener)
      throws IOException {
    String what = "verify " + name;
    try (IndexControl control =
        repair
            ? IndexControl.open(plain, registry, table, what)
            : IndexControl.openToRead(plain, registry, table, what)) {
      TableIndex index = control.existing(name);
      return repair && IndexAdoption.isClosed(control, index)
          ? IndexAdoption.open(control, index, listener)
          : recorded(control, readable(control, name), repair, listener);
    }
  }

  /** Verifies and repairs an index of any state. */
  static IndexReport repaired(IndexControl control, TableIndex index, IndexListener listener)
      throws IOException {
    return recorded(control, index, true, listener);
  }

  private static IndexReport recorded(
      IndexControl control, TableIndex index, boolean repair, IndexListener listener)
      throws IOException {
    IndexReport report = both(control, index, repair, listener);
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    IndexWork.Verification verified =
        new IndexWork.Verification(
            now, report.rows(), report.entries(), report.found(), report.added(), report.removed());
    IndexWork work = control.work(index.name()).with(verified);
    control.registry().indexes().store(repair ? work.with(sweep(now, report)) : work);
    return report;
  }

  private static IndexWork.Sweep sweep(Instant now, IndexReport report) {
    return new IndexWork.Sweep(
        now, report.entries(), report.found().stale(), report.removed(), report.settled());
  }

  /**
   * Removes the entries of an index whose row is absent or has other values by now, and settles
   * those of an append-only index whose row is there. Reads the index, and the rows of its entries
   * that are not settled, but not the whole table.
   *
   * @param plain a connection to which rows are what is stored
   * @throws IndexLifeException if there is no such index, or it is being filled or dropped
   */
  public static IndexReport sweep(
      Connection plain, Registry registry, TableName table, String name, IndexListener listener)
      throws IOException {
    return JobSpan.around(
        "SWEEP_INDEX", table, () -> swept(plain, registry, table, name, listener));
  }

  private static IndexReport swept(
      Connection plain, Registry registry, TableName table, String name, IndexListener listener)
      throws IOException {
    try (IndexControl control = IndexControl.open(plain, registry, table, "sweep " + name)) {
      TableIndex index = readable(control, name);
      Findings findings = new Findings();
      IndexReport report;
      try (TaggedTables tables = TaggedTables.of(control)) {
        report = entries(control, index, tables, findings, VerificationMode.SWEEP, 0, listener);
      }
      IndexWork.Sweep swept = sweep(Instant.now().truncatedTo(ChronoUnit.MILLIS), report);
      // An index that was restored from another cluster is swept too.
      IndexWork work = registry.indexes().get(table, name).orElse(null);
      if (work != null) {
        registry.indexes().store(work.with(swept));
      }
      return report;
    }
  }

  private static TableIndex readable(IndexControl control, String name) throws IOException {
    TableIndex index = control.existing(name);
    if (index.state() == IndexState.JOINING) {
      control.work(name);
    }
    if (index.state() == IndexState.JOINING && IndexAdoption.isClosed(control, index)) {
      throw IndexLifeException.of(
          control.table(),
          "index has not been read since the rows of its table were restored or truncated",
          "index=" + name + " state=" + index.state(),
          Remedy.REPAIR_INDEX.toString());
    }
    if (index.state() != IndexState.PUBLIC) {
      throw IndexLifeException.of(
          control.table(),
          "index cannot be verified in a state in which clients do not read it",
          "index=" + name + " state=" + index.state(),
          "first repeat the command that adds or drops it");
    }
    return index;
  }

  /** Looks for the entries of all rows. */
  static IndexReport rows(
      IndexControl control, TableIndex index, RowPace pace, IndexListener listener)
      throws IOException {
    Findings findings = new Findings();
    // With tags, since rows with labels of their own are reported as such.
    try (TaggedTables tables = TaggedTables.of(control)) {
      long rows =
          rows(control, control.entries(index), tables.tables(), findings, false, pace, listener);
      return findings.report(rows, 0, 0);
    }
  }

  private static IndexReport both(
      IndexControl control, TableIndex index, boolean repair, IndexListener listener)
      throws IOException {
    Findings findings = new Findings();
    try (TaggedTables tables = TaggedTables.of(control)) {
      long rows =
          rows(
              control,
              control.entries(index),
              tables.tables(),
              findings,
              repair,
              new RowPace(0),
              listener);
      VerificationMode look = repair ? VerificationMode.REPAIR : VerificationMode.COMPARE;
      return entries(control, index, tables, findings, look, rows, listener);
    }
  }

  private static IndexReport entries(
      IndexControl control,
      TableIndex index,
      TaggedTables tables,
      Findings findings,
      VerificationMode look,
      long rows,
      IndexListener listener)
      throws IOException {
    if (look.changes()) {
      checkSeesAll(control, index);
    }
    RowEntries entries = control.entries(index);
    SpreadTable table = tables.tables().open(control.table());
    SpreadTable own = tables.tables().open(entries.table());
    EntrySettling settling =
        new EntrySettling(entries, own, RowLife.of(control.descriptor(), entries.index()));
    try (StaleEntries stale =
        new StaleEntries(
            entries,
            table,
            own,
            findings,
            look.changes() ? settling : null,
            look != VerificationMode.SWEEP)) {
      long read = entries(control, entries, stale, listener);
      if (stale.report() && look.changes()) {
        listener.begins(IndexListener.Phase.SWEEP);
        control.change(index, index.state());
        stale.remove();
      }
      return findings.report(rows, read, settling.count());
    }
  }

  // Who does not see all of a row cannot say that an entry is not of it.
  private static void checkSeesAll(IndexControl control, TableIndex index) throws IOException {
    CellSecurity.Obstacle obstacle =
        CellSecurity.obstacle(control.plain(), control.physical()).orElse(null);
    if (obstacle != null) {
      throw IndexLifeException.of(
          control.table(),
          "entries of the index cannot be removed by this user",
          "index=" + index.name() + " " + obstacle.reason(),
          obstacle.remedy());
    }
  }

  private static long rows(
      IndexControl control,
      RowEntries entries,
      SpreadTables tables,
      Findings findings,
      boolean repair,
      RowPace pace,
      IndexListener listener)
      throws IOException {
    listener.begins(IndexListener.Phase.COMPARE_ROWS);
    RowsInIndex rows =
        new RowsInIndex(
            entries,
            control.layout(),
            tables.open(control.table()),
            tables.open(entries.table()),
            findings,
            repair);
    return new RegionScans(control.plain(), control.physical(), entries::restricted)
        .read(
            List::of,
            (range, batch) -> {
              pace.await(batch.size());
              rows.check(batch);
            },
            listener::progress);
  }

  private static long entries(
      IndexControl control, RowEntries entries, StaleEntries stale, IndexListener listener)
      throws IOException {
    listener.begins(IndexListener.Phase.COMPARE_ENTRIES);
    TableName physical =
        LastMigration.generation(control.plain(), control.registry(), entries.table());
    return new RegionScans(control.plain(), physical, scan -> scan)
        .read(List::of, (range, batch) -> stale.collect(batch), listener::progress);
  }
}
