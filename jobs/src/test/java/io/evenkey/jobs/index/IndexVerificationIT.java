/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes are verified, repaired and swept. */
class IndexVerificationIT extends IndexedOrders {
  @Test
  void aVerificationFindsRowsWithoutEntriesAndEntriesWithoutRowsAndRepairsBoth() throws Exception {
    write(0, 300);
    add(BY_CUSTOMER, IndexListener.NONE);
    SpreadTable index = tables.open(entries());
    List<Delete> lost = new ArrayList<>();
    try (ResultScanner all = index.scanStored()) {
      for (Result entry : all) {
        if (lost.size() < 5) {
          Delete raw = new Delete(entry.getRow());
          raw.setAttribute(GuardAttributes.ENTRY, new byte[0]);
          lost.add(raw);
        }
      }
    }
    index.delete(new ArrayList<>(lost));
    SpreadTable table = tables.open(name);
    List<Delete> deleted = new ArrayList<>();
    for (long id = 0; id < 300; id += 50) {
      deleted.add(new Delete(key(id)));
    }
    table.delete(deleted);

    IndexReport found = verify(false);
    assertThat(found.found().missing()).isBetween(1L, 5L);
    assertThat(found.found().stale()).isBetween(1L, 6L);
    assertThat(found.differences())
        .hasSize((int) (found.found().missing() + found.found().stale()));
    assertThat(found.isComplete()).isFalse();
    IndexReport repaired = verify(true);
    assertThat(repaired.added()).isEqualTo(found.found().missing());
    assertThat(repaired.removed()).isEqualTo(found.found().stale());
    assertThat(repaired.isComplete()).isTrue();
    IndexReport clean = verify(false);
    assertThat(clean.found().missing() + clean.found().stale()).isZero();
    assertThat(clean.entries()).isEqualTo(clean.rows()).isEqualTo(294);
    assertThat(read()).hasSize(294);
  }

  @ParameterizedTest
  @ValueSource(strings = {"events", "mutable"})
  void coveredColumnsThatAreDeletedAreNoLossWhereReadersTakeThemFromTheRow(String rows)
      throws Exception {
    write(0, 20);
    SpreadTable table = tables.open(name);
    TableIndex index = TableIndex.parse(BY_CUSTOMER.toString().replace("events", rows));
    // Between the filling and the comparison.
    IndexReport added =
        add(
            index,
            at(
                IndexListener.Phase.COMPARE_ROWS,
                () -> table.delete(new Delete(key(3)).addColumns(D, Bytes.toBytes("amount")))));
    assertThat(added.isComplete()).isTrue();
    table.delete(new Delete(key(4)).addColumns(D, Bytes.toBytes("amount")));
    IndexReport found = verify(false);
    assertThat(found.isComplete()).isTrue();
    assertThat(found.differences()).isEmpty();
    assertThat(rows(table.select().by("by_customer").column(D, Bytes.toBytes("amount"))))
        .hasSize(18);
    assertThat(read()).hasSize(20);
  }

  @Test
  void otherCoveredValuesOfASettledEntryAreFoundAndRepaired() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    // As an application that changes rows in spite of --append-only.
    tables
        .open(name)
        .put(
            new Put(key(3))
                .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c3"))
                .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("other")));
    Selection covered =
        tables.open(name).select().by("by_customer").column(D, Bytes.toBytes("amount"));
    assertThat(rows(covered)).noneMatch(row -> row.endsWith(" other"));

    IndexReport found = verify(false);
    assertThat(found.found().covered()).isEqualTo(1);
    assertThat(found(found, IndexDifference.Kind.COVERED))
        .containsExactly(LAYOUT.labelLogical(key(3)));
    IndexReport repaired = verify(true);
    assertThat(repaired.added()).isEqualTo(1);
    assertThat(repaired.isComplete()).isTrue();
    assertThat(rows(covered)).hasSize(20).filteredOn(row -> row.endsWith(" other")).hasSize(1);
    assertThat(verify(false).differences()).isEmpty();
    assertThat(settled()).isEqualTo(20);
  }

  @Test
  void aSweepSettlesTheEntriesOfRowsThatAreThere() throws Exception {
    write(0, 10);
    tables.open(name).put(order(300).setTTL(Duration.ofHours(1).toMillis()));
    add(APPEND_ONLY, IndexListener.NONE);
    write(10, 300);
    Put times =
        new Put(key(301))
            .addColumn(D, Bytes.toBytes("customer"), 5, Bytes.toBytes("c1"))
            .addColumn(D, Bytes.toBytes("amount"), 6, Bytes.toBytes("a301"));
    tables.open(name).put(times);
    Put entryOnly = new Put(entryOf(order(302)));
    entryOnly.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries()).put(entryOnly.addColumn(EntryFamily.name(), RowEntries.nonce(), D));

    IndexReport first = sweep();
    assertThat(first.settled()).isEqualTo(290);
    assertThat(first.removed()).isEqualTo(1);
    assertThat(settled()).isEqualTo(300);
    // Looks at no row whose entry is settled, and finds nothing more to settle.
    assertThat(sweep().settled()).isZero();
    assertThat(verify(false).isComplete()).isTrue();
    assertThat(read()).hasSize(302);
  }

  /** Their rows end so much later. */
  @Test
  void entriesOfRowsOfTheFutureAreSweptToo() throws Exception {
    add(BY_CUSTOMER, IndexListener.NONE);
    long future = System.currentTimeMillis() + Duration.ofDays(3).toMillis();
    tables
        .open(name)
        .put(
            new Put(key(1), future)
                .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c1"))
                .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("a1")));
    tables.open(name).delete(new Delete(key(1), future));
    assertThat(verify(false).found().stale()).isEqualTo(1);
    assertThat(sweep().removed()).isEqualTo(1);
    IndexReport swept = verify(false);
    assertThat(swept.found().stale()).isZero();
    assertThat(swept.entries()).isZero();
  }

  /** The requests that have read the table, by HBase's counters. */
  private long readsOfTable() throws IOException {
    long reads = 0;
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
          reads += region.getReadRequestCount();
        }
      }
    }
    return reads;
  }

  @Test
  void coveredColumnsOfSettledEntriesAreReadWithoutTheirRows() throws Exception {
    write(0, 450);
    add(APPEND_ONLY, IndexListener.NONE);
    Selection whole = tables.open(name).select().by("by_customer");
    Selection covered = whole.column(D, Bytes.toBytes("amount"));
    Selection customers = whole.column(D, Bytes.toBytes("customer"));

    // The first read asks the regions for their guard too.
    List<String> rows = rows(whole);
    long before = readsOfTable();
    assertThat(rows(covered)).hasSize(450).isEqualTo(rows);
    assertThat(readsOfTable() - before)
        .as("a batch of 64 entries, one of four times as many, and the rest")
        .isEqualTo(3);
    assertThat(rows(covered.where("customer = 'c7'").limit(5))).hasSize(5);
    assertThat(rows(covered.reversed())).hasSize(450).startsWith(rows.get(449));
    long uncovered = readsOfTable();
    assertThat(rows(customers)).hasSize(450);
    assertThat(readsOfTable() - uncovered).isGreaterThanOrEqualTo(450);

    // Rows that are not settled yet are among them, and entries without a row are not.
    write(450, 700);
    Put entryOnly = new Put(entryOf(order(800)));
    entryOnly.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries()).put(entryOnly.addColumn(EntryFamily.name(), RowEntries.nonce(), D));
    assertThat(rows(covered)).hasSize(700).isEqualTo(rows(whole));
    sweep();
    long swept = readsOfTable();
    assertThat(rows(covered)).hasSize(700);
    assertThat(readsOfTable() - swept).isLessThan(50);
  }

  @Tag("long")
  @Test
  void coveredReadsAreRefusedWhenTheIndexWasDropped() throws Exception {
    write(0, 30);
    add(APPEND_ONLY, IndexListener.NONE);
    Selection covered =
        tables.open(name).select().by("by_customer").column(D, Bytes.toBytes("amount"));
    assertThat(rows(covered)).hasSize(30);
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThatThrownBy(() -> rows(covered))
        .hasCauseInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("table of an index does not exist or is disabled");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadFailsDuringWhichTheIndexIsDroppedAndAddedAgain(boolean isCovered) throws Exception {
    write(0, 2_000);
    add(APPEND_ONLY, IndexListener.NONE);
    Selection selection = tables.open(name).select().by("by_customer");
    try (KeyedRows read =
        (isCovered ? selection.column(D, Bytes.toBytes("amount")) : selection).open()) {
      assertThat(read.next()).isNotNull();
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      add(APPEND_ONLY, IndexListener.NONE);
      // The new table of entries may have been read while it had only some of them.
      assertThatThrownBy(() -> read.forEach(row -> {}))
          .hasStackTraceContaining("index was replaced while it was read");
    }
    assertThat(rows(selection)).hasSize(2_000);
  }

  @Test
  void anEntryThatIsSettledAfterItsIndexWasAddedAgainIsNotTakenForItsRow() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    Put row = order(5);
    // Of a sweep that is paused after it has seen the row.
    Put late = rowEntries().settled(entryOf(row), cells(row)).orElseThrow();
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    tables.open(name).delete(new Delete(key(5)));
    add(APPEND_ONLY, IndexListener.NONE);
    tables.open(entries()).put(late);
    Selection covered =
        tables.open(name).select().by("by_customer").column(D, Bytes.toBytes("amount"));
    assertThat(rows(covered)).hasSize(19);
    assertThat(verify(false).found().stale()).isEqualTo(1);
    assertThat(sweep().removed()).isEqualTo(1);
    assertThat(settled()).isEqualTo(19);
  }

  @Test
  void aCommandThatHasLostItsLockChangesNoIndexThatWasAddedAgain() throws Exception {
    write(0, 20);
    add(BY_CUSTOMER, IndexListener.NONE);
    Registry session = Registry.open(plain.getConfiguration());
    try (IndexControl paused = IndexControl.open(plain, session, name, "add by_customer")) {
      TableIndex known = paused.existing("by_customer");
      session.close();
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      assertChanged(() -> paused.change(known, IndexState.PUBLIC));
      add(BY_CUSTOMER, IndexListener.NONE);
      assertChanged(() -> paused.change(known, IndexState.PUBLIC));
      assertChanged(() -> paused.remove(known));
    }
    try (IndexControl late = IndexControl.open(plain, registry, name, "drop by_customer")) {
      assertChanged(() -> EntriesTable.drop(late, "by_customer"));
    }
    assertThat(read()).hasSize(20);
  }

  private static void assertChanged(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("another command has changed the index");
  }

  @Test
  void aComparisonNamesAllStaleEntries() throws Exception {
    write(0, 50);
    add(BY_CUSTOMER, IndexListener.NONE);
    SpreadTable table = tables.open(name);
    for (long id = 0; id < 40; id++) {
      table.delete(new Delete(key(id)));
    }
    SpreadTable own = tables.open(entries());
    Findings findings = new Findings();
    try (StaleEntries stale = new StaleEntries(rowEntries(), table, own, findings, null, true);
        Table raw = plain.getTable(entries());
        ResultScanner stored = raw.getScanner(new Scan())) {
      for (Result[] some = stored.next(5); some.length > 0; some = stored.next(5)) {
        stale.collect(List.of(some));
      }
      stale.report();
    }
    assertThat(findings.report(0, 0, 0).differences())
        .hasSize(40)
        .extracting(IndexDifference::kind)
        .containsOnly(IndexDifference.Kind.STALE);
  }

  @Test
  void aSweepReadsTheIndexOnceInOneEpoch() throws Exception {
    sweepEntriesWithoutRows(4 * StaleEntries.BATCH + 1);
  }

  @Tag("long")
  @Test
  void aSweepOfManyEntriesReadsTheIndexOnceInOneEpoch() throws Exception {
    sweepEntriesWithoutRows(Integer.getInteger("evenkey.stale", 250_000));
  }

  private void sweepEntriesWithoutRows(int count) throws IOException {
    write(0, 20);
    add(BY_CUSTOMER, IndexListener.NONE);
    RowEntries entries = rowEntries();
    byte[] nonce = RowEntries.nonce();
    SpreadTable own = tables.open(entries());
    List<Put> puts = new ArrayList<>();
    for (long id = 100; id < 100 + count; id++) {
      Put row = order(id);
      puts.add(entries.entry(entryOf(entries, row), cells(row), nonce));
      if (puts.size() == 5_000 || id == 99 + count) {
        own.put(puts);
        puts.clear();
      }
    }
    long version = version();
    Map<IndexListener.Phase, Integer> begun = new EnumMap<>(IndexListener.Phase.class);
    long start = System.nanoTime();
    IndexReport swept =
        IndexVerification.sweep(
            plain,
            registry,
            name,
            "by_customer",
            new IndexListener() {
              @Override
              public void begins(Phase phase) {
                begun.merge(phase, 1, Integer::sum);
              }

              @Override
              public void progress(double share, long rows) {}
            });
    System.out.printf(
        "sweep of %,d entries: %,d ms%n", count, (System.nanoTime() - start) / 1_000_000);
    assertThat(swept.removed()).isEqualTo(count);
    assertThat(begun)
        .isEqualTo(Map.of(IndexListener.Phase.COMPARE_ENTRIES, 1, IndexListener.Phase.SWEEP, 1));
    assertThat(version()).as("epochs").isEqualTo(version + 1);
    assertThat(verify(false).isComplete()).isTrue();
  }

  private long version() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableLayout.indexes(admin.getDescriptor(name)).version();
    }
  }

  @Tag("long")
  @Test
  void aSettledEntryWithoutItsRowIsFoundAndRemoved() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    Put absent = order(20);
    tables.open(entries()).put(rowEntries().settled(entryOf(absent), cells(absent)).orElseThrow());
    IndexReport found = verify(false);
    assertThat(found.found().phantoms()).isEqualTo(1);
    assertThat(found.isComplete()).isFalse();
    assertThat(found.differences())
        .extracting(IndexDifference::kind)
        .containsExactly(IndexDifference.Kind.PHANTOM);
    assertThat(verify(true).isComplete()).isTrue();
    assertThat(settled()).isEqualTo(20);
  }

  @Test
  void rowsOfAnAppendOnlyIndexAreNeitherDeletedNorGetAnotherTimeToLive() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    SpreadTable table = tables.open(name);
    List<Delete> refused =
        List.of(
            new Delete(key(1)),
            new Delete(key(1)).addFamily(D),
            new Delete(key(1)).addColumn(D, Bytes.toBytes("amount")),
            new Delete(key(1)).addColumns(D, Bytes.toBytes("customer")));
    for (Delete delete : refused) {
      assertThatThrownBy(() -> table.delete(delete))
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("deletion from a row of an append-only index");
    }
    assertThatThrownBy(() -> table.put(order(1).setTTL(Duration.ofHours(1).toMillis())))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("put of a row of an index with a time to live of its own");
    table.delete(new Delete(key(1)).addColumns(D, Bytes.toBytes("note")));
    assertThat(verify(false).isComplete()).isTrue();
    try (Admin admin = plain.getAdmin()) {
      for (TableName of : List.of(name, entries())) {
        ColumnFamilyDescriptor family = admin.getDescriptor(of).getColumnFamilies()[0];
        ColumnFamilyDescriptor shorter =
            ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(86_400).build();
        assertThatThrownBy(() -> admin.modifyColumnFamily(of, shorter))
            .hasMessageContaining("time to live of a column of an index cannot be changed");
        assertThatThrownBy(() -> admin.deleteColumnFamily(of, family.getName()))
            .isInstanceOf(IOException.class);
      }
      assertThatThrownBy(
              () ->
                  admin.modifyTable(
                      TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries()))
                          .removeValue(DescribedIndexes.INDEXED_TABLE_KEY)
                          .build()))
          .hasMessageContaining("indexed table of an index's table cannot be changed")
          .hasMessageContaining("index_of=" + name);
      admin.disableTable(entries());
      assertThatThrownBy(() -> admin.truncateTable(entries(), true))
          .hasMessageContaining("cannot be truncated")
          .hasMessageContaining("the table is enabled again");
      await().atMost(Duration.ofMinutes(1)).until(() -> admin.isTableAvailable(entries()));
    }
    assertThat(read()).hasSize(20);
  }
}
