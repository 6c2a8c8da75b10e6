/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An application that knows nothing of Evenkey, as many are: HBase's own interface, and keys of
 * {@code Bytes.toBytes} that begin with a time, so that one region takes all its writes. Run by
 * {@code examples/hot-table.sh}.
 */
public final class HotWriter {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final int BATCH = 20;
  private static final int COUNTED_SECONDS = 5;

  private HotWriter() {}

  /**
   * Does one thing.
   *
   * @param arguments {@code create}, {@code write}, {@code check} or {@code skew}, the table, and
   *     the file of what HBase has acknowledged
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Configuration configuration = HBaseConfiguration.create();
    TableName name = TableName.valueOf(arguments[1]);
    if (arguments[0].equals("skew") || arguments[0].equals("create")) {
      try (Connection connection = ConnectionFactory.createConnection(configuration);
          Admin admin = connection.getAdmin()) {
        if (arguments[0].equals("create")) {
          admin.createTable(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build());
        } else {
          showSkew(admin, name);
        }
      }
      return;
    }
    configuration.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    Path notes = Path.of(arguments[2]);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(name)) {
      if (arguments[0].equals("write")) {
        write(table, notes);
      } else {
        check(table, notes);
      }
    }
  }

  private static byte[] row(long time, long number) {
    return Bytes.add(Bytes.toBytes(time), Bytes.toBytes(number));
  }

  private static void write(Table table, Path notes) throws IOException {
    for (long first = 0; ; first += BATCH) {
      long time = System.currentTimeMillis();
      List<Put> orders = new ArrayList<>(BATCH);
      for (long number = first; number < first + BATCH; number++) {
        orders.add(
            new Put(row(time, number)).addColumn(FAMILY, AMOUNT, Bytes.toBytes(number % 97)));
      }
      table.put(orders);
      Files.writeString(
          notes,
          time + " " + first + "\n",
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      // There are others on this machine.
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** Every row that was acknowledged is there, and a scan has each row once, in order. */
  private static void check(Table table, Path notes) throws IOException {
    long acknowledged = 0;
    for (String note : Files.readAllLines(notes, StandardCharsets.US_ASCII)) {
      String[] batch = note.split(" ", -1);
      List<Get> orders = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        orders.add(new Get(row(Long.parseLong(batch[0]), Long.parseLong(batch[1]) + i)));
      }
      for (boolean isThere : table.exists(orders)) {
        if (!isThere) {
          throw new IOException("lost: an order of " + note);
        }
      }
      acknowledged += BATCH;
    }
    long scanned = 0;
    byte[] before = new byte[0];
    try (ResultScanner rows = table.getScanner(new Scan().setCaching(1_000))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        if (Bytes.compareTo(before, row.getRow()) >= 0) {
          throw new IOException("out of order: " + Bytes.toStringBinary(row.getRow()));
        }
        before = row.getRow();
        scanned++;
      }
    }
    if (scanned < acknowledged) {
      throw new IOException("scanned " + scanned + " of " + acknowledged);
    }
    System.out.printf("%,d acknowledged rows are there; a scan has each once, in order%n", scanned);
  }

  /** Counts the writes of some seconds by region, as the region servers do. */
  private static void showSkew(Admin admin, TableName table)
      throws IOException, InterruptedException {
    Map<String, Long> before = writes(admin, table);
    TimeUnit.SECONDS.sleep(COUNTED_SECONDS);
    long most = 0;
    long all = 0;
    Map<String, Long> after = writes(admin, table);
    for (Map.Entry<String, Long> region : after.entrySet()) {
      long count = region.getValue() - before.getOrDefault(region.getKey(), 0L);
      most = Math.max(most, count);
      all += count;
    }
    System.out.printf(
        "regions %d, share of the busiest in all writes %.0f %%%n",
        after.size(), all == 0 ? 0 : 100.0 * most / all);
  }

  private static Map<String, Long> writes(Admin admin, TableName table) throws IOException {
    Map<String, Long> writes = new HashMap<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        writes.put(region.getNameAsString(), region.getWriteRequestCount());
      }
    }
    return writes;
  }
}
