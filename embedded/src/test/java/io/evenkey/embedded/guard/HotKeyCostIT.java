/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded.guard;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.hotkeys.HotKeySetting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures operations on a table of which the servers count the hot keys, against one of which they
 * do not: by turns in one run, since the machine's load changes. Logs ratios; asserts nothing.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@EnabledIfSystemProperty(named = "evenkey.measure", matches = "true")
class HotKeyCostIT {
  private static final Logger LOG = LoggerFactory.getLogger(HotKeyCostIT.class);
  private static final int ROWS = 20_000;
  private static final int ROUNDS = 40;

  private interface Work {
    void on(Table table, SplittableRandom random) throws IOException;
  }

  @Test
  void measure(Connection connection) throws Exception {
    GuardedTable off = GuardedTable.plain(connection);
    for (String setting : List.of("off", "on", "1/1")) {
      GuardedTable other = GuardedTable.create(connection, Map.of(HotKeySetting.KEY, setting));
      try (Table without = off.open();
          Table with = other.open()) {
        fill(without);
        fill(with);
        compare("gets, " + setting, without, with, HotKeyCostIT::gets);
        compare("gets of 100, " + setting, without, with, HotKeyCostIT::batches);
        compare("scans of 1,000 rows, " + setting, without, with, HotKeyCostIT::scans);
        compare("puts of 100, " + setting, without, with, HotKeyCostIT::puts);
      }
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row-%08d", number));
  }

  private static Put put(int number) {
    return new Put(row(number))
        .addColumn(GuardedTable.FAMILY, GuardedTable.QUALIFIER, Bytes.toBytes(number));
  }

  private static void fill(Table table) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(put(i));
    }
    table.put(puts);
  }

  private static void gets(Table table, SplittableRandom random) throws IOException {
    for (int i = 0; i < 300; i++) {
      table.get(new Get(row(random.nextInt(ROWS))));
    }
  }

  private static void batches(Table table, SplittableRandom random) throws IOException {
    for (int batch = 0; batch < 10; batch++) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        gets.add(new Get(row(random.nextInt(ROWS))));
      }
      table.get(gets);
    }
  }

  private static void scans(Table table, SplittableRandom random) throws IOException {
    for (int scan = 0; scan < 10; scan++) {
      byte[] start = row(random.nextInt(ROWS - 1_000));
      try (ResultScanner rows =
          table.getScanner(new Scan().withStartRow(start).setLimit(1_000).setCaching(1_000))) {
        for (Result row = rows.next(); row != null; row = rows.next()) {
          row.advance();
        }
      }
    }
  }

  private static void puts(Table table, SplittableRandom random) throws IOException {
    for (int batch = 0; batch < 5; batch++) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(put(random.nextInt(ROWS)));
      }
      table.put(puts);
    }
  }

  private static void compare(String name, Table without, Table with, Work work)
      throws IOException {
    double[] ratios = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      // The first of two has a colder cache.
      boolean first = round % 2 == 0;
      long a = nanos(first ? without : with, round, work);
      long b = nanos(first ? with : without, round, work);
      ratios[round] = first ? (double) b / a : (double) a / b;
    }
    Arrays.sort(ratios);
    LOG.warn(
        "{}: {} times the time without (quartiles {} to {})",
        name,
        text(ratios[ROUNDS / 2]),
        text(ratios[ROUNDS / 4]),
        text(ratios[3 * ROUNDS / 4]));
  }

  private static String text(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  private static long nanos(Table table, int seed, Work work) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long begun = System.nanoTime();
    work.on(table, random);
    return System.nanoTime() - begun;
  }
}
