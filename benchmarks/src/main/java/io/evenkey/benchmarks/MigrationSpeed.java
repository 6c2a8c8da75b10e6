/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadMutator;
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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.util.ToolRunner;

/**
 * The speed of a migration, against HBase's own CopyTable of the same table in the same run; and
 * what readers and writers notice. CopyTable cannot change keys: its copy has the same ones.
 */
public final class MigrationSpeed {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int VALUE_BYTES = 100;

  /** The first one warms up. */
  private static final int ROUNDS = 4;

  private static final TableName SOURCE = TableName.valueOf("source");

  private final EmbeddedHBase hbase;
  private final Connection plain;
  private final int rows;

  private MigrationSpeed(EmbeddedHBase hbase, int rows) throws IOException {
    this.hbase = hbase;
    this.plain = hbase.connection();
    this.rows = rows;
  }

  /**
   * Measures.
   *
   * @param arguments the number of rows; 500,000 unless given
   */
  public static void main(String[] arguments) throws Exception {
    int rows = arguments.length == 0 ? 500_000 : Integer.parseInt(arguments[0]);
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).start()) {
      new MigrationSpeed(hbase, rows).run();
    }
  }

  private void run() throws Exception {
    fill();
    List<double[]> rounds = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      Figures.say(round == 0 ? "warm-up" : "round " + round);
      rounds.add(
          new double[] {
            copyTable("CopyTable by puts", "puts"),
            copyTable("CopyTable by files", "files", "--bulkload"),
            migration("migrate by puts", 0, Migration.By.PUTS),
            migration("migrate by files", 0, Migration.By.FILES),
            migration("migrate by snapshot", 0, Migration.By.SNAPSHOT)
          });
    }
    compare(rounds.subList(1, ROUNDS));
    foreground();
  }

  private static void compare(List<double[]> rounds) {
    String[] ways = {"by puts", "by files", "by snapshot"};
    for (int i = 0; i < ways.length; i++) {
      int way = i + 2;
      Figures.say(
          "migrate %-12s %.2f of CopyTable by puts, %.2f of CopyTable by files (medians)",
          ways[i],
          Figures.median(rounds.stream().mapToDouble(round -> round[way] / round[0])),
          Figures.median(rounds.stream().mapToDouble(round -> round[way] / round[1])));
    }
  }

  private static byte[] key(int n) {
    return Bytes.toBytes(String.format(Locale.ROOT, "key-%09d", n));
  }

  private void fill() throws IOException {
    Layout layout = Layout.parse("salt(6) + key:bytes");
    byte[] value = new byte[VALUE_BYTES];
    SplittableRandom random = new SplittableRandom(1);
    try (SpreadTables tables = SpreadTables.on(plain);
        SpreadMutator mutator =
            tables.create(SOURCE, layout, layout.splits(6), List.of("d")).mutator()) {
      for (int i = 0; i < rows; i++) {
        random.nextBytes(value);
        mutator.put(new Put(key(i)).addColumn(FAMILY, QUALIFIER, value.clone()));
      }
    }
    try (Admin admin = plain.getAdmin()) {
      admin.flush(SOURCE);
    }
  }

  private Configuration jobs() {
    Configuration configuration = new Configuration(plain.getConfiguration());
    String processors = String.valueOf(Runtime.getRuntime().availableProcessors());
    configuration.set("mapreduce.local.map.tasks.maximum", processors);
    configuration.set("mapreduce.local.reduce.tasks.maximum", processors);
    configuration.setInt("hbase.client.scanner.caching", 1_000);
    // Avro's, which Hadoop has by default, is for those who have Avro.
    configuration.set(
        CommonConfigurationKeys.IO_SERIALIZATIONS_KEY, WritableSerialization.class.getName());
    return configuration;
  }

  private double copyTable(String what, String target, String... more) throws Exception {
    TableName name = TableName.valueOf(target);
    try (Admin admin = plain.getAdmin()) {
      byte[][] splits = Layout.parse("salt(6) + key:bytes").splits(6).toArray();
      admin.createTable(TableDescriptorBuilder.copy(name, admin.getDescriptor(SOURCE)), splits);
    }
    String[] arguments = Arrays.copyOf(more, more.length + 2);
    arguments[more.length] = "--new.name=" + target;
    arguments[more.length + 1] = SOURCE.getNameAsString();
    long begun = System.nanoTime();
    int code = ToolRunner.run(jobs(), new CopyTable(), arguments);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Figures.say("%-20s %,8.0f rows/s%s", what, rows / seconds, code == 0 ? "" : " FAILED");
    drop(name);
    return rows / seconds;
  }

  private void drop(TableName name) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  /** Migrates, says how long each stage took, and takes it back. */
  private double migration(String what, long pace, Migration.By by) throws Exception {
    Map<Stage, Long> begun = new EnumMap<>(Stage.class);
    MigrationListener listener = migration -> begun.put(migration.stage(), System.nanoTime());
    try (Registry registry = Registry.open(plain.getConfiguration());
        Migrator migrator =
            Migrator.begin(
                plain,
                registry,
                MigrationPlan.of(SOURCE, Layout.parse("salt(9) + key:bytes"))
                    .by(by)
                    .withPace(new Migration.Pace(pace, 0)),
                MigrationSettings.in(new Path(hbase.directory().resolve("work").toUri())),
                listener)) {
      migrator.run();
      double copied = seconds(begun, Stage.COPYING, Stage.VERIFYING);
      double verified = seconds(begun, Stage.VERIFYING, Stage.READY);
      Figures.say(
          "%-20s %,8.0f rows/s copied, %,.0f rows/s compared",
          what, rows / copied, rows / verified);
      migrator.aimFor(Stage.ROLLED_BACK);
      migrator.run();
      return rows / copied;
    }
  }

  private static double seconds(Map<Stage, Long> begun, Stage from, Stage to) {
    return (begun.getOrDefault(to, 0L) - begun.getOrDefault(from, 0L)) / 1e9;
  }

  /** An application's reads and writes, alone and while the table is migrated. */
  private void foreground() throws Exception {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(SOURCE)) {
      latencies(table, 4, () -> false);
      Figures.say("%-20s %s", "alone", latencies(table, 10, () -> false));
      for (long pace : new long[] {0, 10_000}) {
        CompletableFuture<Void> migrated =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    migration("  under load", pace, Migration.By.FILES);
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
        String during = latencies(table, 300, migrated::isDone);
        migrated.join();
        Figures.say("%-20s %s", pace == 0 ? "while migrated" : "at " + pace + " rows/s", during);
      }
    }
  }

  @FunctionalInterface
  private interface Over {
    boolean is();
  }

  private String latencies(Table table, int seconds, Over over) throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    long until = System.nanoTime() + seconds * 1_000_000_000L;
    long[] reads = new long[2_000_000];
    long[] writes = new long[2_000_000];
    int n = 0;
    while (System.nanoTime() < until && !over.is() && n < reads.length) {
      byte[] key = key(random.nextInt(rows));
      long begun = System.nanoTime();
      table.get(new Get(key));
      long read = System.nanoTime();
      table.put(new Put(key).addColumn(FAMILY, QUALIFIER, key));
      reads[n] = read - begun;
      writes[n++] = System.nanoTime() - read;
    }
    return String.format(
        Locale.ROOT,
        "reads p50 %.2f p99 %.2f ms, writes p50 %.2f p99 %.2f longest %.0f ms, of %,d each",
        percentile(reads, n, 0.5),
        percentile(reads, n, 0.99),
        percentile(writes, n, 0.5),
        percentile(writes, n, 0.99),
        percentile(writes, n, 1),
        n);
  }

  private static double percentile(long[] nanos, int count, double share) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (share * count))] / 1e6;
  }
}
