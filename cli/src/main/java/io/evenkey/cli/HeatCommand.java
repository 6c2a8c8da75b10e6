/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.counters.ClusterReadings;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.json.HotKeysJson;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey heat}. */
@Rights(
    "None: HBase shows its load to every user. R to see the table's hot keys; with --hot-keys R, "
        + "and C or A.")
@Command(
    name = "heat",
    header = "Show the current reads and writes by region and key.",
    description = {
      "",
      "On a terminal, refreshes until Ctrl-C; otherwise prints once. With a table, shows its "
          + "key space from the first key to the last, its busiest regions, and its hot keys.",
      "",
      "After --hot-keys on, region servers with Evenkey's module count the keys that all clients"
          + " read, scan and write.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey heat",
      "  evenkey heat readings --every 10",
      "  evenkey heat readings --hot-keys on"
    },
    sortOptions = false)
final class HeatCommand implements Callable<Integer> {
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

  @Option(
      names = "--hot-keys",
      paramLabel = "on|off|1/N",
      converter = HotKeySettingConverter.class,
      description =
          "Turn the counting of the table's keys on region servers on or off, and exit. 1/N counts"
              + " one of N operations; on means 1/256.")
  private @Nullable HotKeySetting hotKeys;

  @Mixin private ClusterOption cluster = new ClusterOption();

  HeatCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    UsageErrors.checkEvery(spec, every);
    String name = table == null ? null : UsageErrors.tableName(spec, table).getNameAsString();
    HotKeySetting setting = hotKeys;
    if (setting != null) {
      return set(name, setting);
    }
    boolean repeat = console.outColumns() > 0 && !once && !json;
    try (Cluster open = cluster.openBriefly();
        Recorder recorder =
            new Recorder(
                new ClusterReadings(open.connection()), Duration.ofSeconds(every), null, false)) {
      HeatView view = new HeatView(console, recorder, new HotKeyView(console, open.connection()));
      recorder.read();
      console.hint("counting for " + every + " s …");
      do {
        // The latch is never counted down: Ctrl-C ends the process.
        new CountDownLatch(1).await(every, TimeUnit.SECONDS);
        recorder.read();
        if (repeat) {
          console.clear();
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

  private int set(@Nullable String name, HotKeySetting setting) throws IOException {
    if (name == null) {
      throw new ParameterException(spec.commandLine(), "--hot-keys is set by table; name one");
    }
    try (Cluster open = cluster.openBriefly()) {
      ServerHotKeys hot = ServerHotKeys.set(open.connection(), TableName.valueOf(name), setting);
      if (json) {
        console.json(new HotKeysJson.TableHotKeys(name, HotKeysJson.of(hot)));
      } else if (setting.counts()) {
        console
            .out()
            .println("hot keys are counted: regions=" + hot.counting() + " share=" + setting);
      } else {
        console.out().println("hot keys are not counted");
      }
    }
    return CommandLine.ExitCode.OK;
  }
}
