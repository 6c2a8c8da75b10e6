/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Operations of an application that uses only HBase's API, on a table with an index. */
final class IndexedTables {
  /** The index that the test adds: of rows that change, by the column {@code d:state}. */
  static final String INDEX = "by_state";

  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] STATE = Bytes.toBytes("state");

  private IndexedTables() {}

  /** Writes through both connections, and reads the rows in the order of the index. */
  static void use(Connection connection, AsyncConnection async, TableName name) throws Exception {
    try (Table table = connection.getTable(name);
        BufferedMutator mutator = connection.getBufferedMutator(name)) {
      table.put(row("1", "c"));
      table.put(List.of(row("2", "b"), row("3", "a")));
      mutator.mutate(row("4", "d"));
      mutator.flush();
      async.getTable(name).put(row("5", "aa")).get(1, TimeUnit.MINUTES);
      table.put(row("1", "e"));
      table.delete(new Delete(Bytes.toBytes("2")));
    }
    List<String> inOrder = List.of("a", "aa", "d", "e");
    TableName index = TableName.valueOf(name.getNameAsString() + "." + INDEX);
    Expected.equal("rows by the index", inOrder, scanned(connection, index));
    List<String> later = new ArrayList<>();
    for (Result row : async.getTable(index).scanAll(new Scan()).get(1, TimeUnit.MINUTES)) {
      later.add(state(row));
    }
    Expected.equal("rows by the index, asynchronously", inOrder, later);
  }

  private static List<String> scanned(Connection connection, TableName index) throws IOException {
    List<String> states = new ArrayList<>();
    try (Table table = connection.getTable(index);
        ResultScanner scanner = table.getScanner(new Scan())) {
      scanner.forEach(row -> states.add(state(row)));
    }
    return states;
  }

  private static Put row(String key, String state) {
    return new Put(Bytes.toBytes(key)).addColumn(FAMILY, STATE, Bytes.toBytes(state));
  }

  private static String state(Result row) {
    return Bytes.toString(row.getValue(FAMILY, STATE));
  }
}
