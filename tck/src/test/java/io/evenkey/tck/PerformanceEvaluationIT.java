/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs every command of HBase's {@code PerformanceEvaluation} on a plain table and, through the
 * drop-in connections, on a salted one, by turns, and writes a table of the times. The commands
 * that only write hbase:meta are left out.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 85, unit = TimeUnit.MINUTES)
@SuppressWarnings("SystemOut") // the table is what it is run for
class PerformanceEvaluationIT {
  private static final int BUCKETS = 4;
  private static final int ROWS = Integer.getInteger("evenkey.pe.rows", 20_000);
  private static final int ROUNDS = Integer.getInteger("evenkey.pe.rounds", 3);
  private static final Path TABLE = Path.of("target", "performance-evaluation.md");
  private static final List<Integer> THREADS = List.of(1, 8);

  // Of several thousand rows, one that asks for a row, or for a range, has enough with some.
  private static final int FEW = Math.max(1, ROWS / 10);

  /** A command, and the number of rows of one thread. */
  private record Task(String name, int rows, List<String> options) {
    Task(String name, int rows, String... options) {
      this(name, rows, List.of(options));
    }

    String label() {
      return options.isEmpty() ? name : name + " " + String.join(" ", options);
    }
  }

  // What deletes is last: it leaves nothing to read.
  private static final List<Task> TASKS =
      List.of(
          new Task("sequentialWrite", ROWS),
          new Task("randomWrite", ROWS),
          new Task("randomWrite", FEW, "--autoFlush=true"),
          new Task("randomWrite", ROWS, "--autoFlush=true", "--multiPut=100"),
          new Task("asyncSequentialWrite", FEW),
          new Task("asyncRandomWrite", FEW),
          new Task("sequentialRead", FEW),
          new Task("randomRead", FEW),
          new Task("randomRead", ROWS, "--multiGet=100"),
          new Task("asyncSequentialRead", FEW),
          new Task("asyncRandomRead", FEW),
          new Task("metaRandomRead", FEW),
          new Task("scan", ROWS),
          new Task("asyncScan", ROWS),
          new Task("reverseScan", ROWS),
          new Task("filterScan", 5),
          new Task("randomSeekScan", Math.max(100, FEW / 10)),
          new Task("scanRange10", FEW),
          new Task("scanRange100", FEW / 4),
          new Task("scanRange1000", FEW / 20),
          new Task("scanRange10000", FEW / 100),
          new Task("increment", FEW),
          new Task("append", FEW),
          new Task("checkAndMutate", FEW),
          new Task("checkAndPut", FEW),
          new Task("checkAndDelete", FEW),
          new Task("randomDelete", FEW),
          new Task("sequentialDelete", FEW));

  private static double seconds(
      Configuration configuration, String table, Task task, int threads, String... more)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--nomapred", "--table=" + table));
    arguments.add("--rows=" + Math.max(1, task.rows()));
    arguments.addAll(task.options());
    arguments.addAll(List.of(more));
    arguments.add(task.name());
    arguments.add(Integer.toString(threads));
    long begun = System.nanoTime();
    int exit = new PerformanceEvaluation(configuration).run(arguments.toArray(new String[0]));
    assertThat(exit).as("%s", arguments).isZero();
    return (System.nanoTime() - begun) / 1e9;
  }

  /** Adds a line to the table, so that a run that is ended has what it measured until then. */
  private static void say(String line) throws IOException {
    System.out.println(line);
    Files.writeString(
        TABLE, line + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  @Test
  void everyCommandRunsOnBothTables(EmbeddedHBase hbase) throws Exception {
    // The judge's own configuration makes every connection a judged one.
    Configuration plain = EvenkeyConnection.plain(hbase.configuration());
    Configuration dropIn = new Configuration(plain);
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    dropIn.set(EvenkeyConnection.DEFAULT_LAYOUT, "salt(" + BUCKETS + ") + key:bytes");
    // Both have as many regions, and as many rows as the threads of any task address.
    Task fill = new Task("sequentialWrite", ROWS);
    int most = THREADS.get(THREADS.size() - 1);
    seconds(plain, "pe_plain", fill, most, "--presplit=" + BUCKETS);
    seconds(dropIn, "pe_evenkey", fill, most);
    Files.deleteIfExists(TABLE);
    say("| command | rows of a thread | threads | plain, s | Evenkey, s | Evenkey ÷ plain |");
    say("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (Task task : TASKS) {
      for (int threads : THREADS) {
        double[] theirs = new double[ROUNDS];
        double[] ours = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
          boolean first = round % 2 == 0;
          double before = first ? 0 : seconds(dropIn, "pe_evenkey", task, threads);
          theirs[round] = seconds(plain, "pe_plain", task, threads);
          ours[round] = first ? seconds(dropIn, "pe_evenkey", task, threads) : before;
          ratios[round] = ours[round] / theirs[round];
        }
        say(
            String.format(
                Locale.ROOT,
                "| `%s` | %,d | %d | %.2f | %.2f | %.2f |",
                task.label(),
                Math.max(1, task.rows()),
                threads,
                median(theirs),
                median(ours),
                median(ratios)));
      }
    }
  }
}
