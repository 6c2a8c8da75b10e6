/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import com.sun.management.ThreadMXBean;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import io.evenkey.server.hotkeys.RegionHotKeys;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
 * Measures what counting costs: one operation by itself, and requests to a table by turns with
 * counting and without. The processor time of the servers' handlers is compared, since the
 * machine's load changes the time of a request. Logs figures; asserts nothing.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@EnabledIfSystemProperty(named = "evenkey.measure", matches = "true")
class HotKeyCostIT {
  private static final Logger LOG = LoggerFactory.getLogger(HotKeyCostIT.class);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Layout LAYOUT = Layout.parse("salt(4, device) + device:string + n:int32");
  private static final int ROWS = 20_000;
  private static final int ROUNDS = 40;
  private static final int OPERATIONS = 5_000_000;

  private interface Work {
    void on(Table table, SplittableRandom random) throws IOException;
  }

  @Test
  void logsTheCostOfCountingOneOperation() {
    byte[][] rows = new byte[4_096][];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < rows.length; i++) {
      // Some come more often.
      rows[i] = row((int) (rows.length * Math.pow(random.nextDouble(), 4)));
    }
    for (String setting : List.of("off", "on", "1/1")) {
      RegionHotKeys hot = RegionHotKeys.of("server", "region");
      hot.set(setting, LAYOUT.toString());
      double[] nanos = new double[7];
      long bytes = 0;
      for (int round = 0; round < nanos.length; round++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long begun = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < OPERATIONS; i++) {
          hot.read(rows[i & (rows.length - 1)]);
        }
        nanos[round] = (double) (THREADS.getCurrentThreadCpuTime() - begun) / OPERATIONS;
        bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      }
      Arrays.sort(nanos);
      LOG.warn(
          "{}: {} ns, {} bytes an operation",
          setting,
          text(nanos[nanos.length / 2]),
          text((double) bytes / OPERATIONS));
    }
  }

  @Test
  void logsTheCostOfCountingRequests(Connection connection) throws Exception {
    for (String setting : List.of("off", "on", "1/16")) {
      GuardedTable guarded =
          GuardedTable.create(
              connection,
              Map.of(
                  "EVENKEY_LAYOUT",
                  LAYOUT.toString(),
                  "EVENKEY_FORMAT",
                  "1",
                  "EVENKEY_RAW_WRITES",
                  "allow"));
      try (Table table = guarded.open()) {
        fill(table);
        compare("gets, " + setting, guarded, setting, HotKeyCostIT::gets);
        compare("gets of 100, " + setting, guarded, setting, HotKeyCostIT::batches);
        compare("scans of 1,000 rows, " + setting, guarded, setting, HotKeyCostIT::scans);
        compare("puts of 100, " + setting, guarded, setting, HotKeyCostIT::puts);
      }
    }
  }

  private static byte[] row(int number) {
    return LAYOUT.encode(Values.of(Map.of("device", "device-" + number % 100, "n", number)));
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
    for (int i = 0; i < 1_000; i++) {
      table.get(new Get(row(random.nextInt(ROWS))));
    }
  }

  private static void batches(Table table, SplittableRandom random) throws IOException {
    for (int batch = 0; batch < 30; batch++) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        gets.add(new Get(row(random.nextInt(ROWS))));
      }
      table.get(gets);
    }
  }

  private static void scans(Table table, SplittableRandom random) throws IOException {
    for (int scan = 0; scan < 30; scan++) {
      // The first bucket of four.
      byte[] start = {0, 'd', (byte) random.nextInt(128)};
      try (ResultScanner rows =
          table.getScanner(new Scan().withStartRow(start).setLimit(1_000).setCaching(1_000))) {
        for (Result row = rows.next(); row != null; row = rows.next()) {
          row.advance();
        }
      }
    }
  }

  private static void puts(Table table, SplittableRandom random) throws IOException {
    for (int batch = 0; batch < 20; batch++) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(put(random.nextInt(ROWS)));
      }
      table.put(puts);
    }
  }

  private static void compare(String name, GuardedTable guarded, String setting, Work work)
      throws IOException {
    double[] without = new double[ROUNDS];
    double[] with = new double[ROUNDS];
    try (Table table = guarded.open()) {
      for (int round = 0; round < ROUNDS; round++) {
        set(guarded, round % 2 == 0 ? "off" : setting);
        double first = handlerNanos(table, round, work);
        set(guarded, round % 2 == 0 ? setting : "off");
        double second = handlerNanos(table, round, work);
        without[round] = round % 2 == 0 ? first : second;
        with[round] = round % 2 == 0 ? second : first;
      }
    }
    Arrays.sort(without);
    Arrays.sort(with);
    LOG.warn(
        "{}: {} times the handlers' time without (first quartiles {})",
        name,
        text(with[ROUNDS / 2] / without[ROUNDS / 2]),
        text(with[ROUNDS / 4] / without[ROUNDS / 4]));
  }

  private static void set(GuardedTable guarded, String setting) throws IOException {
    guarded.describe(HotKeySetting.KEY, setting);
    Get get = new Get(row(0));
    get.setAttribute(GuardAttributes.ASK, new HotKeyQuestion(1, true).toBytes());
    try (Table table = guarded.open()) {
      table.get(get);
    }
  }

  private static String text(double figure) {
    return String.format(Locale.ROOT, "%.3f", figure);
  }

  private static double handlerNanos(Table table, int seed, Work work) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long before = handlerNanos();
    work.on(table, random);
    return handlerNanos() - before;
  }

  private static long handlerNanos() {
    long sum = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().contains("handler")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getId()));
      }
    }
    return sum;
  }
}
