/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.cli.demo.Demo;
import io.evenkey.cli.demo.DemoJson;
import io.evenkey.cli.demo.DemoReport;
import io.evenkey.cli.demo.DemoResult;
import io.evenkey.cli.demo.TpchOrders;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.launch.PortalSettings;
import io.evenkey.report.launch.PortalStarter;
import io.evenkey.report.launch.RunningPortal;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey demo}. */
@Command(
    name = "demo",
    header = "Load the same records with plain and with spread keys, and compare.",
    description = {
      "",
      "Starts a real HBase in this process, creates a naive and a spread table with the "
          + "same number of regions, and loads both. Shows from HBase's own counters which region "
          + "servers took the writes, then reads both tables back in order and checks every row.",
      "",
      "Without --csv the records are the 150,000 orders of TPC-H at scale factor 0.1, by "
          + "date. With --csv and no key, the key is the time, then columns that identify a "
          + "record, and a running number only if these leave records with the same key.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey demo",
      "  evenkey demo --csv messages.csv.gz --key receiver,sent_at",
      "  evenkey demo --csv readings.csv \\",
      "      --layout 'salt(15, device) + device:string + ts:timestamp desc'"
    },
    sortOptions = false)
final class DemoCommand implements Callable<Integer> {
  private static final double SCALE = 0.1;
  private static final List<String> TPCH_KEY = List.of("orderdate", "orderkey");

  private final Console console;
  private final PortalStarter portal;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description =
          "Records in arrival order: CSV, TSV or JSON lines; plain, .gz or .zst; Parquet or Avro.")
  private @Nullable Path csv;

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup private @Nullable Keys keys;

  @Mixin private DialectOptions dialect = new DialectOptions();

  @Mixin private ServersOption servers = new ServersOption();

  @Option(
      names = "--portal",
      description =
          "Then write the records to both tables in a loop and show the heat in the browser, until "
              + "Ctrl-C.")
  private boolean showPortal;

  @Option(names = "--json", description = "Print one JSON document with the figures.")
  private boolean json;

  private static final class Keys {
    @Option(
        names = "--layout",
        paramLabel = "LINE",
        description = "The spread layout; its fields name columns.")
    private @Nullable String layout;

    @Option(
        names = "--key",
        paramLabel = "COLUMN,…",
        description = "The key columns in order, separated by commas.")
    private @Nullable String columns;

    @Nullable List<String> key() {
      return columns == null ? null : List.of(columns.split(",", -1));
    }
  }

  DemoCommand(Console console, PortalStarter portal) {
    this.console = console;
    this.portal = portal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String line = keys == null ? null : keys.layout;
    // A mistake in the line is reported before a large file is read.
    if (line != null) {
      Layout.parse(line);
    }
    Demo demo = prepare(line);
    console.note(Amount.of(demo.records(), "record") + " under " + demo.layout());
    console.warningNotes(demo.warnings());
    demo.layout().warnings().forEach(warning -> console.note("warning: " + warning));
    console.ifStopped(
        () -> "nothing of it is kept; begin again with: " + Interruption.sameCommand(spec));
    console.note("starting HBase with " + servers.count() + " region servers in this process …");
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(servers.count()).start()) {
      if (showPortal) {
        runUnderTheEyesOfAPortal(demo, hbase);
      } else {
        report(demo, demo.run(hbase, console::progress));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void runUnderTheEyesOfAPortal(Demo demo, EmbeddedHBase hbase)
      throws IOException, InterruptedException {
    PortalToken token = PortalToken.random();
    PortalSettings settings =
        PortalSettings.local(0, token.value()).every(Duration.ofSeconds(2)).build();
    try (Cluster open = Cluster.open(hbase.configuration());
        RunningPortal running = portal.start(settings, open)) {
      // Standard output has the figures only.
      console.note("portal  " + token.address(running.url()));
      report(demo, demo.run(hbase, console::progress));
      console.note("");
      console.note("writing to demo_naive and demo_spread until Ctrl-C …");
      demo.writeOn(hbase);
    }
  }

  private void report(Demo demo, DemoResult result) throws IOException {
    if (json) {
      console.json(DemoJson.of(result));
    } else {
      DemoReport.print(result, tryNext(demo), console.out());
    }
    if (!result.orderIdentical()) {
      throw new EvenkeyException(
          "rows read back differ from the records: " + String.join("; ", result.differences()));
    }
  }

  /** Commands with the columns of these records. */
  private List<String> tryNext(Demo demo) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("./evenkey explain " + Shell.quoted(demo.layout().toString()) + " \\");
    lines.add(
        "    "
            + demo.firstKey().entrySet().stream()
                .map(field -> "--set " + Shell.quoted(field.getKey() + "=" + field.getValue()))
                .collect(Collectors.joining(" ")));
    if (csv == null) {
      lines.add("./evenkey demo --csv FILE    # your own records");
    } else {
      lines.add(
          "./evenkey init "
              + Shell.quoted(tableName(csv))
              + " --from "
              + Shell.quoted(csv.toString())
              + dialect.arguments()
              + " \\");
      lines.add("    --query " + Shell.quoted(query(demo.layout())));
    }
    lines.add("./evenkey dev                # an HBase to develop against");
    return lines;
  }

  private static String tableName(Path file) {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\..*", "");
    return name.isEmpty() ? "records" : name.replaceAll("[^A-Za-z0-9_]", "_");
  }

  /** A query for what identifies a record, or for its time if nothing else does. */
  private static String query(Layout layout) {
    List<Field> others = layout.fields().stream().filter(field -> !isTime(field)).toList();
    if (others.isEmpty()) {
      return Quoted.name(layout.fields().get(0).name()) + " between ? and ?";
    }
    boolean hasTime = others.size() < layout.fields().size();
    // A number in front may be a time in another unit, or one that runs.
    Field asked =
        others.stream()
            .filter(field -> hasTime || !field.type().toString().equals("int64"))
            .findFirst()
            .orElse(others.get(0));
    return Quoted.name(asked.name()) + " = ?" + (hasTime ? " newest first limit 20" : "");
  }

  private static boolean isTime(Field field) {
    return field.type().toString().startsWith("timestamp");
  }

  private Demo prepare(@Nullable String line) throws IOException {
    List<String> key = keys == null ? null : keys.key();
    RecordSource source = csv == null ? TpchOrders.atScale(SCALE) : dialect.read(Input.file(csv));
    console.hint("reading " + source.name() + " …");
    boolean chooseOrders = csv == null && line == null && key == null;
    return Demo.prepare(source, line, chooseOrders ? TPCH_KEY : key, servers.count());
  }
}
