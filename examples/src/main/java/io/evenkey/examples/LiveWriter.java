/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An application that knows nothing of Evenkey: HBase's own interface, and two lines of
 * configuration. It writes rows that each lead to the one before, counts them in HBase too, and
 * notes in a file what HBase has acknowledged. Run by {@code examples/live-migration.sh}.
 */
public final class LiveWriter {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] BEFORE = Bytes.toBytes("before");
  private static final byte[] COUNT = Bytes.toBytes("count");

  private LiveWriter() {}

  /**
   * Writes until it is killed, or looks whether all is there that was noted.
   *
   * @param arguments {@code write} or {@code check}, the table, the writer's name, its notes
   */
  public static void main(String[] arguments) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    String writer = arguments[2];
    Path notes = Path.of(arguments[3]);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(TableName.valueOf(arguments[1]))) {
      if (arguments[0].equals("write")) {
        write(table, writer, notes);
      } else {
        check(table, writer, notes);
      }
    }
  }

  private static byte[] row(String writer, int number) {
    return Bytes.toBytes(writer + "-" + number);
  }

  private static void write(Table table, String writer, Path notes) throws IOException {
    for (int number = 1; ; number++) {
      Put put = new Put(row(writer, number));
      table.put(put.addColumn(FAMILY, BEFORE, row(writer, number - 1)));
      table.increment(new Increment(row(writer, 0)).addColumn(FAMILY, COUNT, 1));
      Files.writeString(
          notes,
          number + "\n",
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      // There are others on this machine.
      LockSupport.parkNanos(2_000_000);
    }
  }

  private static void check(Table table, String writer, Path notes) throws IOException {
    List<String> noted = Files.readAllLines(notes, StandardCharsets.US_ASCII);
    int last = Integer.parseInt(noted.get(noted.size() - 1));
    for (int number = last; number > 0; number--) {
      Result row = table.get(new Get(row(writer, number)));
      if (!Bytes.equals(row.getValue(FAMILY, BEFORE), row(writer, number - 1))) {
        throw new IOException("lost: " + writer + "-" + number);
      }
    }
    // The one that was under way when the writer was killed may have been counted.
    long count = Bytes.toLong(table.get(new Get(row(writer, 0))).getValue(FAMILY, COUNT));
    if (count < last || count > last + 1) {
      throw new IOException("counted " + count + " instead of " + last + ": " + writer);
    }
    System.out.printf("%s: all %,d rows are there, and counted once each%n", writer, last);
  }
}
