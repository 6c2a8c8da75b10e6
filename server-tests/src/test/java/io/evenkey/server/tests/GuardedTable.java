/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** A table of a test, what a migration does to its state, and requests to it by HBase's client. */
record GuardedTable(Connection connection, TableName name) {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  static final String LAYOUT = "salt(4) + id:string";
  static final byte[] STAMP = Stamp.of(Layout.parse(LAYOUT));
  static final byte[] OTHER_STAMP = Stamp.of(Layout.parse("salt(8) + id:string"));

  static GuardedTable plain(Connection connection, byte[]... splits) throws IOException {
    return create(connection, Map.of(), splits);
  }

  static GuardedTable withLayout(Connection connection, byte[]... splits) throws IOException {
    return create(connection, Map.of("EVENKEY_LAYOUT", LAYOUT, "EVENKEY_FORMAT", "1"), splits);
  }

  /** With these values in its descriptor. */
  static GuardedTable create(Connection connection, Map<String, String> values, byte[]... splits)
      throws IOException {
    TableName name = TableName.valueOf("t" + UUID.randomUUID().toString().replace("-", ""));
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    values.forEach(table::setValue);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), splits);
    }
    return new GuardedTable(connection, name);
  }

  Table open() throws IOException {
    return connection.getTable(name);
  }

  /** Changes the descriptor only: no region reopens. */
  void describe(String key, String value) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(name);
      admin.modifyTable(TableDescriptorBuilder.newBuilder(now).setValue(key, value).build(), false);
    }
  }

  /** As a repair by Evenkey records another layout: with the next state. */
  void layout(String line, GuardState next) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(name);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(now)
              .setValue("EVENKEY_LAYOUT", line)
              .setValue(GuardState.DESCRIPTOR_KEY, next.toString())
              .build(),
          false);
    }
    askAll(next.revision());
  }

  /** As a migration sets a state: the descriptor, then a question to each region. */
  List<GuardAnswer> set(GuardState state) throws IOException {
    describe(GuardState.DESCRIPTOR_KEY, state.toString());
    return askAll(state.revision());
  }

  List<GuardAnswer> set(long revision, GuardMode mode) throws IOException {
    return set(new GuardState(revision, mode, 1, 7, "other"));
  }

  List<GuardAnswer> askAll(long revision) throws IOException {
    List<GuardAnswer> answers = new ArrayList<>();
    Pair<byte[][], byte[][]> keys;
    try (var regions = connection.getRegionLocator(name)) {
      keys = regions.getStartEndKeys();
    }
    for (byte[] start : keys.getFirst()) {
      answers.add(ask(start, revision));
    }
    return answers;
  }

  GuardAnswer ask(byte[] row, long revision) throws IOException {
    // A Get of no row at all is refused by HBase's client.
    Get get = new Get(row.length == 0 ? new byte[] {0} : row);
    get.setAttribute(GuardAttributes.ASK, GuardAttributes.number(revision));
    try (Table table = open()) {
      byte[] family = Bytes.toBytes(GuardAttributes.ANSWER);
      return GuardAnswer.parse(table.get(get).getValue(family, family));
    }
  }

  static <T extends OperationWithAttributes> T stamped(T request) {
    request.setAttribute(GuardAttributes.LAYOUT, STAMP);
    return request;
  }

  static <T extends OperationWithAttributes> T raw(T request) {
    request.setAttribute(GuardAttributes.RAW, new byte[0]);
    return request;
  }

  static <T extends OperationWithAttributes> T migrating(T request, long turn) {
    request.setAttribute(GuardAttributes.MIGRATION, GuardAttributes.number(turn));
    return request;
  }

  static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(1L));
  }

  static Delete delete(String row) {
    return new Delete(Bytes.toBytes(row));
  }

  static Get get(String row) {
    return new Get(Bytes.toBytes(row));
  }

  void write(Mutation mutation) throws IOException {
    try (Table table = open()) {
      if (mutation instanceof Put put) {
        table.put(put);
      } else {
        table.delete((Delete) mutation);
      }
    }
  }

  /** Changes a setting of the table's regions, which reopen. */
  void configure(String key, String value) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(key, value)
              .build());
    }
  }

  /**
   * Loads one file with one row.
   *
   * @param source a new directory
   * @param info keys of its file info, with their values
   */
  void load(Path source, String row, Map<String, byte[]> info) throws IOException {
    load(source, info, Bytes.toBytes(row));
  }

  /** Loads one file with these rows, which are in order. */
  void load(Path source, Map<String, byte[]> info, byte[]... rows) throws IOException {
    Configuration conf = connection.getConfiguration();
    Path file = Files.createDirectories(source.resolve("f")).resolve("file");
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(FileSystem.getLocal(conf), path)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (byte[] row : rows) {
        writer.append(new KeyValue(row, FAMILY, QUALIFIER, 1, QUALIFIER));
      }
      for (Map.Entry<String, byte[]> entry : info.entrySet()) {
        writer.appendFileInfo(Bytes.toBytes(entry.getKey()), entry.getValue());
      }
    }
    BulkLoadHFiles.create(conf).bulkLoad(name, new org.apache.hadoop.fs.Path(source.toUri()));
  }

  /** Everything that is stored, tombstones too, as {@code row/qualifier/type}. */
  List<String> stored() throws IOException {
    return stored(7);
  }

  /** The same, as a migration's run of this number, or none at all for 0. */
  List<String> stored(long turn) throws IOException {
    Scan scan = raw(new Scan().setRaw(true).readAllVersions());
    List<String> cells = new ArrayList<>();
    try (Table table = open();
        ResultScanner scanner = table.getScanner(turn == 0 ? scan : migrating(scan, turn))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.rawCells()) {
          cells.add(
              Bytes.toStringBinary(CellUtil.cloneRow(cell))
                  + "/"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
                  + "/"
                  + cell.getType());
        }
      }
    }
    return cells;
  }
}
