/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An application as there are many: readings of devices, the newest first, written against HBase's
 * own API with a key put together by hand. It knows nothing of Evenkey.
 *
 * <p>Its key is a layout all the same: {@code device:string + ts:timestamp desc}. Create the table
 * under {@code salt(16, device) + device:string + ts:timestamp desc}, set {@code
 * hbase.client.connection.impl} to {@code io.evenkey.client.EvenkeyConnection}, and the same class
 * file writes to all servers at once.
 */
public final class Readings implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] VALUE = Bytes.toBytes("value");
  private static final byte[] READ = Bytes.toBytes("read");

  private final Connection connection;
  private final TableName name;

  /** Connects to the cluster of a configuration. */
  public Readings(Configuration configuration, TableName name) throws IOException {
    this.connection = ConnectionFactory.createConnection(configuration);
    this.name = name;
  }

  /** The device, a 00 byte, and what is left of time until the end of it. */
  private static byte[] key(String device, long time) {
    return Bytes.add(Bytes.toBytes(device), new byte[1], Bytes.toBytes(Long.MAX_VALUE - time));
  }

  /**
   * Writes one reading of each device for each moment.
   *
   * @param times milliseconds since 1970
   */
  public void write(List<String> devices, long... times) throws IOException {
    try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (long time : times) {
        for (String device : devices) {
          Put put = new Put(key(device, time));
          mutator.mutate(put.addColumn(FAMILY, VALUE, Bytes.toBytes(device + "@" + time)));
        }
      }
    }
  }

  /** The newest values of a device, the latest first. */
  public List<String> newest(String device, int count) throws IOException {
    Scan scan =
        new Scan()
            .setStartStopRowForPrefixScan(Bytes.add(Bytes.toBytes(device), new byte[1]))
            .addColumn(FAMILY, VALUE)
            .setLimit(count);
    List<String> values = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        values.add(Bytes.toString(row.getValue(FAMILY, VALUE)));
      }
    }
    return values;
  }

  /** One value, and how often it has been asked for. */
  public String read(String device, long time) throws IOException {
    byte[] key = key(device, time);
    try (Table table = connection.getTable(name)) {
      Result counted = table.increment(new Increment(key).addColumn(FAMILY, READ, 1));
      Result row = table.get(new Get(key));
      return Bytes.toString(row.getValue(FAMILY, VALUE))
          + " read "
          + Bytes.toLong(counted.getValue(FAMILY, READ));
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  /** Runs on the cluster of {@code hbase-site.xml}: {@code readings TABLE}. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("readings: give the table, which has a family d: readings TABLE");
      System.exit(2);
    }
    try (Readings readings =
        new Readings(HBaseConfiguration.create(), TableName.valueOf(arguments[0]))) {
      readings.write(Arrays.asList("pump-1", "pump-2"), 1_000, 2_000, 3_000);
      System.out.println(readings.newest("pump-1", 2));
      System.out.println(readings.read("pump-2", 2_000));
    }
  }
}
