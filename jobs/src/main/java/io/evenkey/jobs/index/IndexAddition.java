/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.guard.OtherClusters;
import io.evenkey.jobs.guard.OtherWriters;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.jobs.split.SampledRows;
import io.evenkey.jobs.split.TargetSplits;
import io.evenkey.jobs.table.TableQuotas;
import io.evenkey.jobs.trace.JobSpan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.guard.GuardedSince;
import io.evenkey.protocol.index.IndexFit;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Adds an index to a table that is read and written. Clients are not paused; a write that is under
 * way when the index is announced is repeated by the client with its entry. Where the addition is
 * lies in the table's descriptor and in the registry, so that another run goes on where one was
 * killed.
 *
 * @param table the table
 * @param index the index; its state does not matter
 * @param regions regions of the index's table; 0 for those that spread its entries
 * @param rowsPerSecond rows that are filled, and then compared, a second at most; 0 for no limit
 * @param files the parent of the directories of store files, if entries of earlier rows are written
 *     to such files and bulk-loaded; null if they are put
 */
public record IndexAddition(
    TableName table, TableIndex index, int regions, long rowsPerSecond, @Nullable Path files) {
  /** An addition that fills the index by puts. */
  public IndexAddition(TableName table, TableIndex index, int regions, long rowsPerSecond) {
    this(table, index, regions, rowsPerSecond, null);
  }

  /**
   * Adds the index, or goes on with adding it. Clients read it on return.
   *
   * @param plain a connection to which rows are what is stored
   * @return the comparison of the table with the index, in which no row was without its entry
   * @throws IndexLifeException if the table cannot have the index, or rows have no entries in it
   * @throws io.evenkey.protocol.index.IndexException if the index does not fit the table
   * @throws io.evenkey.jobs.guard.GuardException if servers are without the guard
   */
  public IndexReport run(Connection plain, Registry registry, IndexListener listener)
      throws IOException {
    return JobSpan.around("ADD_INDEX", table, () -> add(plain, registry, listener));
  }

  private IndexReport add(Connection plain, Registry registry, IndexListener listener)
      throws IOException {
    try (IndexControl control = IndexControl.open(plain, registry, table, "add " + index.name())) {
      control.checkGuard();
      TableIndex whole = IndexFit.complete(control.layout(), index);
      TableIndex existing = control.indexes().get(index.name()).orElse(null);
      if (existing == null) {
        begin(control, whole, listener);
      } else {
        checkSame(existing);
        checkBegun(control, existing);
      }
      if (existing != null && existing.state() == IndexState.BUILDING) {
        return fill(control, existing, listener);
      }
      listener.begins(IndexListener.Phase.JOIN);
      TableIndex joining =
          existing == null
              ? control.add(index.in(IndexState.JOINING))
              : control.change(existing, IndexState.JOINING);
      return fill(control, control.change(joining, IndexState.BUILDING), listener);
    }
  }

  private void checkSame(TableIndex existing) throws IndexLifeException {
    String values = "index=" + index.name() + " state=" + existing.state();
    if (!existing.equals(index.in(existing.state()).since(existing.since()))) {
      throw IndexLifeException.of(
          table,
          "another index has this name",
          "now=\"" + existing + '"',
          "give the new one another name, or " + Remedy.DROP_INDEX + " that has it");
    }
    if (existing.state() == IndexState.PUBLIC) {
      throw IndexLifeException.of(
          table, "index exists already", values, Remedy.VERIFY_INDEX.toString());
    }
    if (existing.state() == IndexState.CLOSING) {
      throw IndexLifeException.of(
          table, "index is being dropped", values, Remedy.DROP_INDEX + ", then add it again");
    }
  }

  // What was filled may have entries without rows, and what is not known any entries at all.
  private static void checkBegun(IndexControl control, TableIndex existing) throws IOException {
    control.work(existing.name());
    if (existing.state() == IndexState.JOINING && IndexAdoption.isClosed(control, existing)) {
      throw IndexLifeException.of(
          control.table(),
          "index has not been read since the rows of its table were restored or truncated",
          "index=" + existing.name(),
          Remedy.REPAIR_INDEX.toString());
    }
  }

  private void begin(IndexControl control, TableIndex whole, IndexListener listener)
      throws IOException {
    EntriesTable entries = new EntriesTable(control, whole);
    check(control, entries);
    // Before the table, of which a drop knows by this record if the command is killed now.
    IndexWork begun =
        IndexWork.begun(
            table,
            index.name(),
            ByteText.hex(RowEntries.nonce()),
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    control.registry().indexes().store(begun);
    listener.begins(IndexListener.Phase.CREATE);
    RowEntries of = RowEntries.of(table, control.layout(), whole);
    SplitPlan splits =
        new TargetSplits(control.plain(), control.physical(), sampled(of, control.layout()))
            .cut(regions, (share, rows) -> {});
    String full =
        new TableQuotas(control.plain()).full(entries.name(), 1, splits.keys().size() + 1);
    if (full != null) {
      throw IndexLifeException.of(
          table, full, "index=" + index.name(), "raise it in HBase's shell: alter_namespace");
    }
    entries.create(splits);
  }

  private void check(IndexControl control, EntriesTable entries) throws IOException {
    if (index.name().equals(table.getNameAsString())) {
      throw IndexLifeException.of(
          table,
          "index has the name of its table, which stands for reads by the table's own key",
          "index=" + index.name(),
          "give the index another name, such as by_" + index.layout().fields().get(0).name());
    }
    TableDescriptor descriptor = control.descriptor();
    if (OtherWriters.mayWrite(descriptor)) {
      throw IndexLifeException.of(
          table,
          "clients that name no layout may write any row, and would be rejected",
          OtherWriters.ALLOWED,
          OtherWriters.REMEDY);
    }
    TableIndexes next = TableLayout.indexes(descriptor).with(index.in(IndexState.JOINING));
    TableLayout.checkFit(table, control.layout(), next);
    for (String family : entries.families()) {
      if (!descriptor.hasColumnFamily(Bytes.toBytes(family))) {
        throw IndexLifeException.of(
            table,
            "column of a family that the table does not have",
            "index=" + index.name() + " family=" + family,
            "name columns as family:qualifier");
      }
    }
    String replicated = new OtherClusters(control.plain()).writes(control.physical());
    if (replicated != null) {
      throw IndexLifeException.of(
          table,
          OtherClusters.WRITE + ", and its rows come without entries",
          "index=" + index.name() + " " + replicated,
          "add it where the rows are written; or, " + OtherClusters.REMEDY);
    }
    for (ColumnFamilyDescriptor family : RowLife.families(descriptor, index)) {
      if (family.getTimeToLive() != HConstants.FOREVER && family.getMinVersions() > 0) {
        throw IndexLifeException.of(
            table,
            "rows are kept beyond their time to live, and entries would not be",
            "index="
                + index.name()
                + " family="
                + family.getNameAsString()
                + " ttl="
                + family.getTimeToLive()
                + " min_versions="
                + family.getMinVersions(),
            "set MIN_VERSIONS of the family to 0, or its TTL to FOREVER");
      }
    }
    CellSecurity.Obstacle obstacle =
        CellSecurity.obstacle(control.plain(), control.physical()).orElse(null);
    if (obstacle != null) {
      throw IndexLifeException.of(
          table, "index cannot be filled by this user", obstacle.reason(), obstacle.remedy());
    }
    entries.checkName();
  }

  private static SampledRows sampled(RowEntries entries, Layout table) {
    Layout target = entries.index().layout();
    return new SampledRows() {
      @Override
      public Layout target() {
        return target;
      }

      @Override
      public Scan restricted(Scan scan) {
        return entries.restricted(scan);
      }

      @Override
      public Optional<byte[]> row(Result stored) {
        try {
          return entries.key(table.logical(stored.getRow()), stored).map(target::physical);
        } catch (LayoutException e) {
          // The filling leaves out what is no row of the layout, and names what cannot be indexed.
          return Optional.empty();
        }
      }
    };
  }

  private IndexReport fill(IndexControl control, TableIndex building, IndexListener listener)
      throws IOException {
    IndexWork before = control.work(index.name());
    IndexWork work = before.with(before.filling().at(rowsPerSecond));
    control.registry().indexes().store(work);
    if (work.filling().finished() == null) {
      EarlierEntries entries =
          EarlierEntries.of(
              table,
              control.layout(),
              building,
              work.filling().nonce(),
              RowLife.of(control.descriptor(), building));
      if (files == null) {
        new IndexFilling(control, entries, new RowPace(rowsPerSecond)).run(work, listener);
      } else {
        new FilesFilling(control, entries, rowsPerSecond, files).run(work, listener);
      }
    }
    GuardedSince guarded = control.guarded();
    IndexReport report =
        IndexVerification.rows(control, building, new RowPace(rowsPerSecond), listener);
    if (!report.isComplete()) {
      boolean canBeWritten = report.found().missing() + report.found().covered() == 0;
      throw IndexLifeException.of(
          table,
          "rows and index differ after the filling",
          "index="
              + index.name()
              + " "
              + report.leftCounts()
              + " first=\""
              + report.differences().get(0).label()
              + '"',
          canBeWritten
              ? report.remedies() + "; then repeat the command, or drop the index"
              : "something writes to the table without Evenkey's client; drop the index, and add it"
                  + " again");
    }
    if (!guarded.equals(control.guarded())) {
      throw IndexLifeException.of(
          table,
          "region was open without the guard while the index was verified, or two were merged",
          "index=" + index.name(),
          Remedy.SHOW_SERVERS
              + ", and when all have it, repeat the addition, which compares the rows again");
    }
    new EntriesTable(control, building).copyQuotas();
    control.change(building, IndexState.PUBLIC);
    return report;
  }
}
