/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with two generations under different layouts, between which a test switches as a
 * migration does: the guard's state goes into the descriptor, then each region is asked. Not
 * thread-safe.
 */
public final class GuardSwitch {
  /** The column family. */
  public static final byte[] FAMILY = Bytes.toBytes("d");

  private static final Layout FROM = Layout.parse("salt(4) + key:bytes");
  private static final Layout TO = Layout.parse("salt(3) + key:bytes");
  private static final long TURN = 1;

  private final Connection plain;
  private final TableName source;
  private final TableName target;
  private long revision;
  private TableName current;

  private GuardSwitch(Connection plain, TableName name) {
    this.plain = plain;
    this.source = name;
    this.target =
        TableName.valueOf(name.getNamespaceAsString(), name.getQualifierAsString() + ".g2");
    this.current = name;
  }

  /** Creates both generations, empty; the first one is in use. */
  public static GuardSwitch create(Connection plain, TableName name) throws IOException {
    GuardSwitch made = new GuardSwitch(plain, name);
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(made.described(made.source, FROM), FROM.splits(4).toArray());
      admin.createTable(made.described(made.target, TO), TO.splits(3).toArray());
    }
    made.set(made.target, GuardMode.CLOSED);
    made.set(made.source, GuardMode.OPEN);
    return made;
  }

  private TableDescriptor described(TableName name, Layout layout) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).build());
    if (!name.equals(source)) {
      table.setValue(TableLayout.TABLE, source.getNameAsString());
    }
    return TableLayout.with(table.build(), layout);
  }

  /** A configuration whose connections are Evenkey's. */
  public Configuration dropIn() {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  /** The first generation, which bears the table's name. */
  public TableName source() {
    return source;
  }

  /** The second generation. */
  public TableName target() {
    return target;
  }

  /** The generation in use. */
  public TableName current() {
    return current;
  }

  private TableName other(TableName generation) {
    return generation.equals(source) ? target : source;
  }

  /** The layout of a generation. */
  public Layout layout(TableName generation) {
    return generation.equals(target) ? TO : FROM;
  }

  /** Sets the mode of a generation; it is in force in all regions on return. */
  public void set(TableName generation, GuardMode mode) throws IOException {
    GuardState state =
        new GuardState(++revision, mode, 1, TURN, other(generation).getNameAsString());
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(generation);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(now)
              .setValue(GuardState.DESCRIPTOR_KEY, state.toString())
              .build(),
          false);
      try (Table table = plain.getTable(generation)) {
        for (RegionInfo region : admin.getRegions(generation)) {
          check(table, region, state);
        }
      }
    }
  }

  private static void check(Table table, RegionInfo region, GuardState state) throws IOException {
    byte[] start = region.getStartKey();
    Get get = new Get(start.length == 0 ? new byte[] {0} : start);
    get.setAttribute(GuardAttributes.ASK, GuardAttributes.number(state.revision()));
    byte[] answer = Bytes.toBytes(GuardAttributes.ANSWER);
    GuardState answered = GuardAnswer.parse(table.get(get).getValue(answer, answer)).state();
    if (!answered.equals(state)) {
      throw new AssertionError("set=" + state + " answered=" + answered);
    }
  }

  /** Writes pause until {@link #unfence}. */
  public void fence() throws IOException {
    set(current, GuardMode.FENCED);
  }

  /** Writes go on. */
  public void unfence() throws IOException {
    set(current, GuardMode.OPEN);
  }

  /** Makes the table the other generation, with the same rows. */
  public void toOther() throws IOException {
    TableName next = other(current);
    long fenced = System.nanoTime();
    fence();
    copy(current, next);
    set(current, GuardMode.CLOSED);
    if (System.nanoTime() - fenced > GuardMode.FENCE.toNanos()) {
      // On a busy machine regions may have let writes through again before they were closed.
      copy(current, next);
    }
    set(next, GuardMode.OPEN);
    current = next;
  }

  private static <T extends OperationWithAttributes> T migrating(T request) {
    request.setAttribute(GuardAttributes.MIGRATION, GuardAttributes.number(TURN));
    return request;
  }

  private void copy(TableName from, TableName to) throws IOException {
    List<Row> all = new ArrayList<>();
    try (Table table = plain.getTable(from);
        ResultScanner rows =
            table.getScanner(migrating(new Scan().setRaw(true).readAllVersions()))) {
      for (Result row : rows) {
        byte[] key = layout(to).physical(layout(from).logical(row.getRow()));
        for (Cell cell : row.rawCells()) {
          all.add(migrating((Mutation) copy(cell, key)));
        }
      }
    }
    try (Table table = plain.getTable(to)) {
      table.batch(all, new Object[all.size()]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static Row copy(Cell cell, byte[] row) throws IOException {
    Cell copy =
        CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
            .setRow(row)
            .setFamily(CellUtil.cloneFamily(cell))
            .setQualifier(CellUtil.cloneQualifier(cell))
            .setTimestamp(cell.getTimestamp())
            .setType(cell.getType())
            .setValue(CellUtil.cloneValue(cell))
            .build();
    return cell.getType() == Cell.Type.Put ? new Put(row).add(copy) : new Delete(row).add(copy);
  }

  /** The logical keys of the rows that a generation has, in whichever mode it is. */
  public List<String> keys(TableName generation) throws IOException {
    TreeSet<String> keys = new TreeSet<>();
    try (Table table = plain.getTable(generation);
        ResultScanner rows = table.getScanner(migrating(new Scan()))) {
      for (Result row : rows) {
        keys.add(Bytes.toString(layout(generation).logical(row.getRow())));
      }
    }
    return List.copyOf(keys);
  }
}
