/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Indexes are added to live tables, and get the entries of the rows that are there. */
class IndexFillingIT extends IndexedOrders {
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "PUTS")
  void rowsOfBeforeAndOfClientsThatWriteMeanwhileAreInTheIndex(Filling by) throws Exception {
    write(0, 3_000);
    try (Writers writers = new Writers(10_000)) {
      List<IndexListener.Phase> phases = new ArrayList<>();
      IndexReport report =
          add(
              BY_CUSTOMER,
              by,
              new IndexListener() {
                @Override
                public void begins(Phase phase) {
                  phases.add(phase);
                }

                @Override
                public void progress(double share, long rows) {}
              });
      assertThat(report.isComplete()).isTrue();
      assertThat(report.rows()).isGreaterThanOrEqualTo(3_000);
      assertThat(phases)
          .containsExactly(
              IndexListener.Phase.CREATE,
              IndexListener.Phase.JOIN,
              IndexListener.Phase.FILL,
              IndexListener.Phase.COMPARE_ROWS);
      Set<Long> before = writers.acknowledged();
      before.addAll(ids(0, 3_000));
      hasAll(before);
      hasAll(writers.stop());
    }
    IndexReport whole = verify(false);
    assertThat(whole.found().missing()).isZero();
    assertThat(whole.found().stale()).isZero();
    IndexWork work = registry.indexes().get(name, "by_customer").orElseThrow();
    assertThat(work.filling().finished()).isNotNull();
    assertThat(work.verified().rows()).isEqualTo(whole.rows());
    try (Admin admin = plain.getAdmin()) {
      assertThat(TableLayout.indexes(admin.getDescriptor(name)).get("by_customer").orElseThrow())
          .isEqualTo(BY_CUSTOMER.in(IndexState.PUBLIC).since(1));
      assertThat(admin.getRegions(entries())).hasSize(3);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "FILES")
  void rowsOfBeforeAndOfClientsAreInTheIndexThatIsFilledByFiles(Filling by) throws Exception {
    rowsOfBeforeAndOfClientsThatWriteMeanwhileAreInTheIndex(by);
  }

  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "FILES")
  void anAdditionThatWasKilledAtAnyStepGoesOn(Filling by) throws Exception {
    write(0, 2_000);
    long next = 2_000;
    for (IndexListener.Phase killed :
        List.of(
            IndexListener.Phase.CREATE,
            IndexListener.Phase.JOIN,
            IndexListener.Phase.FILL,
            IndexListener.Phase.COMPARE_ROWS)) {
      assertThatThrownBy(
              () ->
                  add(
                      BY_CUSTOMER,
                      by,
                      new IndexListener() {
                        @Override
                        public void begins(Phase phase) {
                          if (phase == killed) {
                            throw new IllegalStateException("killed");
                          }
                        }

                        @Override
                        public void progress(double share, long rows) {}
                      }))
          .hasMessage("killed");
      write(next, next + 100);
      next += 100;
    }
    assertThatThrownBy(() -> tables.open(name).select().by("by_customer").open())
        .hasMessageContaining("index that is not read now");
    assertThat(add(BY_CUSTOMER, by, IndexListener.NONE).found().missing()).isZero();
    assertThat(read()).isEqualTo(ids(0, 2_400));
    assertThatThrownBy(() -> add(BY_CUSTOMER, IndexListener.NONE))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("index exists already");
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "PUTS")
  void anAdditionByPutsThatWasKilledAtAnyStepGoesOn(Filling by) throws Exception {
    anAdditionThatWasKilledAtAnyStepGoesOn(by);
  }

  /** Of a table with few regions, too: their tasks run at once and have the pace together. */
  @Tag("long")
  @Test
  void aFillingByFilesHasThePaceOfTheOperator() throws Exception {
    write(0, 2_000);
    Map<IndexListener.Phase, Long> begun = new EnumMap<>(IndexListener.Phase.class);
    new IndexAddition(name, BY_CUSTOMER, 0, 400, new org.apache.hadoop.fs.Path(directory.toUri()))
        .run(
            plain,
            registry,
            new IndexListener() {
              @Override
              public void begins(Phase phase) {
                begun.put(phase, System.nanoTime());
              }

              @Override
              public void progress(double share, long rows) {}
            });
    Duration filling =
        Duration.ofNanos(
            begun.get(IndexListener.Phase.COMPARE_ROWS) - begun.get(IndexListener.Phase.FILL));
    // Five seconds for the rows, less those that tasks do not wait for, and the job's own time.
    assertThat(filling).isGreaterThan(Duration.ofSeconds(4));
    Duration comparison =
        Duration.ofNanos(System.nanoTime() - begun.get(IndexListener.Phase.COMPARE_ROWS));
    assertThat(comparison).isGreaterThan(Duration.ofSeconds(4));
  }

  @Test
  void aFillingGoesOnWithWhatIsNotFilled() throws Exception {
    write(0, 500);
    add(BY_CUSTOMER, IndexListener.NONE);
    IndexWork work = registry.indexes().get(name, "by_customer").orElseThrow();
    assertThat(work.filling().rows()).isEqualTo(500);
    assertThat(work.filling().entries()).isEqualTo(500);
    assertThat(work.filling().done()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "PUTS")
  void rowsFromBeforeAnAppendOnlyIndexAreSettledWhenTheyAreFilledIn(Filling by) throws Exception {
    write(0, 500);
    assertThat(add(APPEND_ONLY, by, IndexListener.NONE).found().missing()).isZero();
    assertThat(settled()).isEqualTo(500);
    assertThat(verify(false).isComplete()).isTrue();
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "FILES")
  void rowsFromBeforeAnAppendOnlyIndexAreSettledByFilesToo(Filling by) throws Exception {
    rowsFromBeforeAnAppendOnlyIndexAreSettledWhenTheyAreFilledIn(by);
  }

  /** The times to live of their own that the settled entries have, in milliseconds. */
  private List<Long> livesOfSettled() throws IOException {
    RowEntries entries = rowEntries();
    List<Long> lives = new ArrayList<>();
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
        Table table = tagged.getTable(entries());
        ResultScanner all = table.getScanner(EntryFamily.name())) {
      for (Result entry : all) {
        for (Cell cell : entry.rawCells()) {
          if (entries.isSettled(Result.create(List.of(cell)))) {
            lives.add(
                PrivateCellUtil.getTag((ExtendedCell) cell, TagType.TTL_TAG_TYPE)
                    .map(tag -> Bytes.toLong(org.apache.hadoop.hbase.Tag.cloneValue(tag)))
                    .orElse(Long.MAX_VALUE));
          } else {
            assertThat(((ExtendedCell) cell).getTagsLength()).isZero();
          }
        }
      }
    }
    return lives;
  }

  /** Entries stay longer than their rows, but readers take a settled one for its row. */
  @ParameterizedTest
  @EnumSource(Filling.class)
  void settledEntriesEndWithTheirRows(Filling by) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(3_600).build());
    }
    write(0, 10);
    assertThat(add(APPEND_ONLY, by, IndexListener.NONE).found().missing()).isZero();
    assertThat(livesOfSettled()).hasSize(10).containsOnly(3_600_000L);
    write(10, 15);
    assertThat(sweep().settled()).isEqualTo(5);
    assertThat(livesOfSettled()).hasSize(15).containsOnly(3_600_000L);

    Put ended =
        new Put(key(20), System.currentTimeMillis() - 3_601_000)
            .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c1"))
            .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("a20"));
    RowLife life = new RowLife(3_600, 3_600);
    Put entry = rowEntries().settled(entryOf(ended), cells(ended)).orElseThrow();
    tables.open(entries()).put(life.settled(entry));
    assertThat(settled()).isEqualTo(15);
    assertThat(verify(false).isComplete()).isTrue();
  }

  /** A row ends when its latest cell does, which need not be its first one. */
  @ParameterizedTest
  @EnumSource(Filling.class)
  void entriesOfAKeyAloneEndNoEarlierThanRowsOfTheFuture(Filling by) throws Exception {
    int life = (int) Duration.ofDays(5).toSeconds();
    try (Admin admin = plain.getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(life).build());
    }
    long future = System.currentTimeMillis() + Duration.ofDays(3).toMillis();
    tables.open(name).put(order(1).addColumn(D, Bytes.toBytes("later"), future, D));
    add(
        TableIndex.parse("by_customer events joining as \"salt(3) + id:int64\""),
        by,
        IndexListener.NONE);
    Cell filled = onlyEntry();
    assertThat(filled.getTimestamp()).isEqualTo(future);
    tables
        .open(entries())
        .delete(
            RowEntries.removal(
                entryOf(order(1)), List.of(CellUtil.cloneQualifier(filled)), future));
    assertThat(verify(true).added()).isEqualTo(1);
    assertThat(onlyEntry().getTimestamp()).isEqualTo(future);
  }

  private Cell onlyEntry() throws IOException {
    try (ResultScanner all = tables.open(entries()).scanStored()) {
      List<Cell> cells = new ArrayList<>();
      all.forEach(entry -> cells.addAll(entry.listCells()));
      assertThat(cells).hasSize(1);
      return cells.get(0);
    }
  }

  @ParameterizedTest
  @EnumSource(Filling.class)
  void aRowThatTheIndexCannotHoldIsNamed(Filling by) throws Exception {
    write(0, 10);
    TableIndex byAmount =
        TableIndex.parse(
            "by_amount events joining as \"salt(3) + amount:int64\" from amount=d:amount");
    assertThatThrownBy(() -> add(byAmount, by, IndexListener.NONE))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageStartingWith("row that the index cannot hold: table=" + name)
        .hasMessageContaining("seller=");
    IndexRemoval.run(plain, registry, name, "by_amount", IndexListener.NONE);
    write(10, 20);
  }

  /** The row has another value when it ends, or gets one again, without a write. */
  @ParameterizedTest
  @EnumSource(Filling.class)
  void aRowWhoseIndexedCellEndsByItselfHasNoIndexOfMutableRows(Filling by) throws Exception {
    write(0, 10);
    tables.open(name).put(order(5).setTTL(Duration.ofHours(1).toMillis()));
    String text =
        "by_open mutable joining as \"salt(3) + customer:string\" from customer=d:customer";
    // It is not in the index, but the one before it would be.
    TableIndex index = TableIndex.parse(text + " where \"customer = 'c1'\"");
    assertThatThrownBy(() -> add(index, by, IndexListener.NONE))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageStartingWith(
            "row from before the index has an indexed cell with a time to live of its own: table="
                + name)
        .hasMessageContaining("column=d:customer")
        .hasMessageContaining("id=5");
    IndexRemoval.run(plain, registry, name, "by_open", IndexListener.NONE);
    tables.open(name).put(order(5));
    assertThat(add(index, by, IndexListener.NONE).isComplete()).isTrue();
  }

  @Test
  void tablesThatCannotHaveTheIndexAreRefusedBeforeAnythingIsMade() throws Exception {
    write(0, 10);
    TableIndex otherFamily =
        TableIndex.parse("by_x events joining as \"salt(3) + x:string\" from x=f:x");
    assertThatThrownBy(() -> add(otherFamily, IndexListener.NONE))
        .hasMessageContaining("column of a family that the table does not have")
        .hasMessageContaining("family=f");
    tables.create(TableName.valueOf(name + ".by_taken"), LAYOUT, LAYOUT.splits(2), List.of("d"));
    TableIndex taken =
        TableIndex.parse("by_taken events joining as \"salt(3) + x:string\" from x=d:x");
    assertThatThrownBy(() -> add(taken, IndexListener.NONE))
        .hasMessageContaining("another table has the name of the index's table");
    assertThat(registry.indexes().get(name, "by_x")).isEmpty();
    write(10, 20);
  }
}
