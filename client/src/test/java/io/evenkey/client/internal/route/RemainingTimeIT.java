/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.DescribedIndexes;
import io.evenkey.layout.index.IndexKey;
import io.evenkey.layout.index.TableIndex;
import io.evenkey.layout.index.TableIndexes;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations of several requests: each request is given the time that the earlier ones left. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RemainingTimeIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int TIMEOUT_MS = 30_000;
  private static final Layout LAYOUT = Layout.parse("salt(2) + key:bytes");
  private static final TableIndex INDEX =
      TableIndex.parse("by_q mutable public as \"salt(2) + q:string + key:bytes\" from q=d:q");

  private TableName name;
  private Connection dropIn;

  @BeforeEach
  void open(Connection plain, TestInfo info) throws IOException {
    name = TableName.valueOf("remaining_" + info.getTestMethod().orElseThrow().getName());
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
  }

  @AfterEach
  void close() throws IOException {
    SlowRegion.end();
    dropIn.close();
  }

  private static TableDescriptor described(TableName table, byte[] family, Layout layout)
      throws IOException {
    return TableLayout.with(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .setCoprocessor(SlowRegion.class.getName())
            .build(),
        layout);
  }

  private void create(Connection plain) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(described(name, D, LAYOUT));
    }
  }

  private void createIndexed(Connection plain) throws IOException {
    TableName entries = TableName.valueOf(INDEX.tableName(name.getNameAsString()));
    TableDescriptor ofEntries =
        described(entries, EntryFamily.name(), IndexKey.of(LAYOUT, INDEX).index().layout());
    TableDescriptor indexed =
        TableLayout.with(described(name, D, LAYOUT), TableIndexes.NONE.with(INDEX));
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(ofEntries)
              .setValue(DescribedIndexes.INDEXED_TABLE_KEY, name.getNameAsString())
              .build());
      admin.createTable(TableGuard.with(indexed, TableGuard.state(indexed).next()));
    }
  }

  private Table table() {
    return dropIn.getTableBuilder(name, null).setOperationTimeout(TIMEOUT_MS).build();
  }

  private BufferedMutator buffer() throws IOException {
    return dropIn.getBufferedMutator(new BufferedMutatorParams(name).operationTimeout(TIMEOUT_MS));
  }

  private static Put put() {
    return new Put(ROW).addColumn(D, Q, Q);
  }

  /** An operation on a table. */
  @FunctionalInterface
  private interface Operation {
    void on(Table table) throws Exception;
  }

  private static Map<String, Operation> puts() {
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("put", table -> table.put(put()));
    all.put("put of a list", table -> table.put(List.of(put(), new Put(D).addColumn(D, Q, Q))));
    all.put("batch", table -> table.batch(List.of(put()), new Object[1]));
    return all;
  }

  private static Map<String, Operation> others() {
    CheckAndMutate check = CheckAndMutate.newBuilder(ROW).ifNotExists(D, D).build(put());
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("delete", table -> table.delete(new Delete(ROW).addColumn(D, D)));
    all.put("mutateRow", table -> table.mutateRow(RowMutations.of(List.of(put()))));
    all.put("checkAndMutate", table -> table.checkAndMutate(check));
    all.put("get", table -> table.get(new Get(ROW)));
    all.put("get of a list", table -> table.get(List.of(new Get(ROW))));
    all.put("exists", table -> table.exists(new Get(ROW)));
    all.put("append", table -> table.append(new Append(ROW).addColumn(D, D, Q)));
    all.put("increment", table -> table.increment(new Increment(ROW).addColumn(D, ROW, 1)));
    return all;
  }

  private static void areGivenWhatIsLeft(String operation, int least) {
    List<Long> given = SlowRegion.end();
    assertThat(given).as(operation).hasSizeGreaterThanOrEqualTo(least);
    for (int i = 0; i < given.size(); i++) {
      assertThat(given.get(i))
          .as("request=%d of %s given=%s", i, operation, given)
          .isBetween(1L, TIMEOUT_MS - (long) i * SlowRegion.DELAY_MS);
    }
  }

  @Test
  void whatIsRepeatedHasTheTimeThatIsLeft(Connection plain) throws Exception {
    create(plain);
    Map<String, Operation> all = new LinkedHashMap<>(puts());
    all.putAll(others());
    try (Table table = table();
        BufferedMutator buffer = buffer()) {
      table.get(new Get(ROW));
      for (Map.Entry<String, Operation> each : all.entrySet()) {
        SlowRegion.begin(2);
        each.getValue().on(table);
        areGivenWhatIsLeft(each.getKey(), 3);
      }
      buffer.mutate(put());
      SlowRegion.begin(2);
      buffer.flush();
      areGivenWhatIsLeft("flush", 3);
    }
  }

  @Test
  void rowsHaveTheTimeThatTheirEntriesLeave(Connection plain) throws Exception {
    createIndexed(plain);
    try (Table table = table();
        BufferedMutator buffer = buffer()) {
      table.get(new Get(ROW));
      for (Map.Entry<String, Operation> each : puts().entrySet()) {
        SlowRegion.begin(0);
        each.getValue().on(table);
        areGivenWhatIsLeft(each.getKey(), 2);
      }
      buffer.mutate(List.of(put(), put(), put()));
      SlowRegion.begin(1);
      buffer.flush();
      areGivenWhatIsLeft("flush", 6);
    }
  }
}
