/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.app.heat.counters.ClusterReadings;
import io.evenkey.app.heat.history.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey heat}. */
@Rights("None: HBase shows its load to every user.")
@Command(
    name = "heat",
    header = "Show the current reads and writes by region and key.",
    description = {
      "",
      "On a terminal, refreshes until Ctrl-C; otherwise prints once. With a table, shows its "
          + "key space from the first key to the last, and its busiest regions.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey heat", "  evenkey heat readings --every 10"},
    sortOptions = false)
final class HeatCommand implements Callable<Integer> {
  /** Clears the screen and the scroll-back buffer, and moves the cursor to the top left. */
  private static final String CLEAR = "\033[H\033[2J\033[3J";

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", arity = "0..1", paramLabel = "TABLE", description = "Only this table.")
  private @Nullable String table;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description = "Refresh interval (default ${DEFAULT-VALUE}, as HBase's servers report).")
  private int every = 3;

  @Option(names = "--once", description = "Print once, do not refresh.")
  private boolean once;

  @Option(names = "--json", description = "Print one JSON document, once.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  HeatCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    UsageErrors.checkEvery(spec, every);
    String name = table == null ? null : UsageErrors.tableName(spec, table).getNameAsString();
    boolean repeat = console.columns() > 0 && !once && !json;
    try (Cluster open = cluster.openBriefly();
        Recorder recorder =
            new Recorder(
                new ClusterReadings(open.connection()), Duration.ofSeconds(every), null, false)) {
      HeatView view = new HeatView(console, recorder);
      recorder.read();
      console.hint("counting for " + every + " s …");
      do {
        // The latch is never counted down: Ctrl-C ends the process.
        new CountDownLatch(1).await(every, TimeUnit.SECONDS);
        recorder.read();
        if (repeat) {
          console.out().print(CLEAR);
        }
        if (json) {
          view.json(name);
        } else {
          view.show(name);
        }
      } while (repeat);
    }
    return CommandLine.ExitCode.OK;
  }
}
