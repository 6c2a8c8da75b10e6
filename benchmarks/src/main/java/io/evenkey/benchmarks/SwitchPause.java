/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The duration of the longest write and the longest read while a table is switched to another
 * generation and back, and renamed, by the number of its regions. Arguments: numbers of regions,
 * such as {@code 12 100}; before them, {@code names} for region servers without the guard. An HBase
 * with three servers in this process; one writer and one reader, one row at a time.
 */
public final class SwitchPause {
  private static final byte[] D = Bytes.toBytes("d");
  private static final int ROWS = 20_000;
  private static final String NAMES = "names";

  private SwitchPause() {}

  /** Measures. */
  public static void main(String[] args) throws Exception {
    boolean guarded = !args[0].equals(NAMES);
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).guard(guarded).start()) {
      System.out.printf(
          Locale.ROOT,
          "%8s %-10s %18s %18s %14s%n",
          "regions",
          "to",
          "longest write ms",
          "longest read ms",
          "migrator ms");
      for (String regions : List.of(args).subList(guarded ? 0 : 1, args.length)) {
        measure(hbase, Integer.parseInt(regions), guarded);
      }
    }
  }

  private static void measure(EmbeddedHBase hbase, int regions, boolean guarded) throws Exception {
    TableName name = TableName.valueOf("pause_" + regions);
    Connection plain = hbase.connection();
    Layout from = Layout.parse("salt(" + regions + ") + key:bytes");
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(name, from, from.splits(regions), List.of("d"));
    }
    Configuration dropIn = new Configuration(plain.getConfiguration());
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    Path work = new Path(hbase.directory().resolve("work").toUri());
    try (Connection client = ConnectionFactory.createConnection(dropIn);
        Registry registry = Registry.open(plain.getConfiguration())) {
      fill(client, name);
      MigrationPlan plan =
          MigrationPlan.of(name, Layout.parse("salt(" + (regions + 1) + ") + key:bytes"))
              .regions(regions)
              .by(Migration.By.PUTS)
              .acceptingPause();
      try (Migrator migrator =
          Migrator.begin(
              plain, registry, plan, MigrationSettings.in(work), MigrationListener.NONE)) {
        migrator.run();
        for (Stage to : List.of(Stage.SWITCHED, Stage.ROLLED_BACK)) {
          migrator.aimFor(to);
          timed(client, name, regions, to.toString(), migrator);
        }
      }
      if (!guarded) {
        return;
      }
      try (Migrator migrator =
          Migrator.begin(
              plain,
              registry,
              plan.aimFor(Stage.FINISHED),
              MigrationSettings.in(work),
              MigrationListener.NONE)) {
        migrator.run();
      }
      try (Migrator migrator =
          Migrator.rename(
              plain, registry, name, MigrationSettings.in(work), MigrationListener.NONE)) {
        timed(client, name, regions, "renamed", migrator);
      }
    }
  }

  private static void fill(Connection client, TableName name) throws IOException {
    try (Table table = client.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(Bytes.toBytes("row-" + i)).addColumn(D, D, new byte[100]));
      }
      table.put(puts);
    }
  }

  private static void timed(
      Connection client, TableName name, int regions, String to, Migrator migrator)
      throws Exception {
    AtomicLong longestWrite = new AtomicLong();
    AtomicLong longestRead = new AtomicLong();
    boolean[] over = {false};
    Thread writer =
        looping(
            over,
            longestWrite,
            client,
            name,
            (table, i) ->
                table.put(
                    new Put(Bytes.toBytes("row-" + i % ROWS)).addColumn(D, D, Bytes.toBytes(i))));
    Thread reader =
        looping(
            over,
            longestRead,
            client,
            name,
            (table, i) -> table.get(new Get(Bytes.toBytes("row-" + i % ROWS))));
    Thread.sleep(3_000);
    longestWrite.set(0);
    longestRead.set(0);
    long begun = System.nanoTime();
    migrator.run();
    double took = (System.nanoTime() - begun) / 1e6;
    over[0] = true;
    writer.join();
    reader.join();
    System.out.printf(
        Locale.ROOT,
        "%8d %-10s %18.0f %18.0f %14.0f%n",
        regions,
        to,
        longestWrite.get() / 1e6,
        longestRead.get() / 1e6,
        took);
  }

  /** One operation of a client. */
  @FunctionalInterface
  private interface Operation {
    void run(Table table, int i) throws IOException;
  }

  private static Thread looping(
      boolean[] over, AtomicLong longest, Connection client, TableName name, Operation operation) {
    Thread thread =
        new Thread(
            () -> {
              try (Table table = client.getTable(name)) {
                for (int i = 0; !over[0]; i++) {
                  long begun = System.nanoTime();
                  operation.run(table, i);
                  long took = System.nanoTime() - begun;
                  longest.accumulateAndGet(took, Math::max);
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    return thread;
  }
}
