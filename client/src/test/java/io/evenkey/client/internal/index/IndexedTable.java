/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of orders, to which a test adds indexes as a command would: into the descriptor, then
 * each region is asked. Not thread-safe.
 */
final class IndexedTable {
  static final byte[] D = Bytes.toBytes("d");
  static final Layout LAYOUT = Layout.parse("salt(4) + seller:string + id:int64");
  static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer events public as"
              + " \"salt(3) + customer:string + seller:string + id:int64\" from"
              + " customer=d:customer");

  private final Connection plain;
  private final TableName name;

  private IndexedTable(Connection plain, TableName name) {
    this.plain = plain;
    this.name = name;
  }

  static IndexedTable create(Connection plain, String name) throws IOException {
    return create(plain, name, Long.MAX_VALUE);
  }

  /**
   * @param ttlMs the time to live of the rows; {@link Long#MAX_VALUE} for ever
   */
  static IndexedTable create(Connection plain, String name, long ttlMs) throws IOException {
    IndexedTable made = new IndexedTable(plain, TableName.valueOf(name));
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(D);
    if (ttlMs != Long.MAX_VALUE) {
      family.setTimeToLive(Math.toIntExact(ttlMs / 1_000));
    }
    made.create(made.name, LAYOUT, family.build());
    return made;
  }

  private void create(TableName table, Layout layout, ColumnFamilyDescriptor family)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor described =
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(family)
              .setValue(
                  DescribedIndexes.INDEXED_TABLE_KEY,
                  table.equals(name) ? null : name.getNameAsString())
              .build();
      admin.createTable(
          TableLayout.with(described, layout),
          layout.splits(Math.min(2, layout.buckets().orElseThrow())).toArray());
    }
  }

  TableName name() {
    return name;
  }

  /** Creates the table of an index. */
  TableName createEntries(TableIndex index) throws IOException {
    TableName entries = TableName.valueOf(index.tableName(name.getNameAsString()));
    create(
        entries,
        IndexKey.of(LAYOUT, index).index().layout(),
        ColumnFamilyDescriptorBuilder.of(EntryFamily.name()));
    return entries;
  }

  /** The rows as they are stored, in no order. */
  List<Order> orders() throws IOException {
    List<Order> orders = new ArrayList<>();
    try (Table table = plain.getTable(name);
        ResultScanner stored = table.getScanner(new Scan())) {
      for (Result row : stored) {
        orders.add(Order.of(LAYOUT.decodeLogical(LAYOUT.logical(row.getRow())), row));
      }
    }
    return orders;
  }

  /** The logical keys of the rows as they are stored. */
  NavigableSet<String> rows() throws IOException {
    NavigableSet<String> rows = new TreeSet<>();
    try (Table table = plain.getTable(name);
        ResultScanner stored = table.getScanner(new Scan())) {
      for (Result row : stored) {
        rows.add(printable(LAYOUT.logical(row.getRow())));
      }
    }
    return rows;
  }

  /** The rows that the entries of an index name, and how many entries each has. */
  NavigableMap<String, Integer> entries(TableIndex index) throws IOException {
    IndexKey key = IndexKey.of(LAYOUT, index);
    NavigableMap<String, Integer> entries = new TreeMap<>();
    TableName table = TableName.valueOf(index.tableName(name.getNameAsString()));
    try (Table opened = plain.getTable(table);
        ResultScanner stored = opened.getScanner(new Scan())) {
      for (Result row : stored) {
        byte[] entry = key.index().layout().logical(row.getRow());
        entries.merge(printable(key.row(entry)), row.size(), Integer::sum);
      }
    }
    return entries;
  }

  static String printable(byte[] key) {
    return ByteText.printable(key);
  }

  TableIndexes indexes() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableLayout.indexes(admin.getDescriptor(name));
    }
  }

  /** Stores indexes; all regions know them on return. */
  void set(TableIndexes indexes) throws IOException {
    GuardState next = describe(indexes);
    try (Admin admin = plain.getAdmin()) {
      for (RegionInfo region : admin.getRegions(name)) {
        ask(region, next);
      }
    }
  }

  /** Stores indexes in the descriptor, and tells no region. */
  GuardState describe(TableIndexes indexes) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(name);
      GuardState next = TableGuard.state(now).next();
      TableGuard.store(admin, TableGuard.with(TableLayout.with(now, indexes), next));
      return next;
    }
  }

  /** Has a region act by a state. */
  void ask(RegionInfo region, GuardState state) throws IOException {
    try (Table table = plain.getTable(name)) {
      GuardState answered =
          GuardQuestion.answer(name, table.get(GuardQuestion.to(region, state.revision())))
              .orElseThrow()
              .state();
      if (!answered.equals(state)) {
        throw new AssertionError("set=" + state + " answered=" + answered);
      }
    }
  }

  /** Adds an index, or changes that of its name. */
  void add(TableIndex index) throws IOException {
    set(indexes().with(index));
  }

  /** A configuration whose connections are Evenkey's. */
  static Configuration dropIn(Configuration plain) {
    Configuration configuration = new Configuration(plain);
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  static byte[] key(String seller, long id) {
    return LAYOUT.logicalKey(Values.of("seller", seller).and("id", id));
  }

  static Put order(String seller, long id, String customer) {
    return new Put(key(seller, id))
        .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes(customer));
  }
}
