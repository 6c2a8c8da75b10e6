/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.cli.Console;
import io.evenkey.cli.NamedClusterOption;
import io.evenkey.cli.Patience;
import io.evenkey.cli.Rights;
import io.evenkey.cli.ServersOption;
import io.evenkey.cli.UsageErrors;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey bench}. */
@Rights("None; --quorum, --conf: C on the namespace 'default'.")
@Command(
    name = "bench",
    header = "Compare Evenkey with plain HBase, hand-written salting and Phoenix.",
    description = {
      "",
      "Starts a real HBase in this process and alternates between the sides, so that other "
          + "load on the machine affects all of them: compare ratios, not times. With --quorum or "
          + "--conf it uses that HBase instead: it creates its own tables there, all named bench_…, "
          + "and drops them.",
      "",
      "  plain    an unsalted table with the same number of regions, and HBase's own client",
      "  evenkey  a salted table through the drop-in connection",
      "  client   scan: the same, but no region server gathers rows, as without Evenkey's module",
      "  naive    the salted table through hand-written code: one scanner per bucket and a",
      "           priority queue; for put and get, row keys salted by hand, with --over over as",
      "           many buckets as a slice has",
      "  phoenix  a table with SALT_BUCKETS, ordered by its key; only if Phoenix is on the",
      "           class path, and only with the HBase in this process",
      "",
      "For index, all tables are salted. Orders are written, changed, and read by customer:",
      "",
      "  plain    a table without an index; for reads, a table whose key has the index's order",
      "  evenkey  a table with an index; all region servers need Evenkey's guard",
      "  naive    two tables written by hand, the row first; not for reads",
      "  phoenix  a table with a global index, of immutable rows or mutable ones",
      "",
      "For grow, a table takes a step of its salt while a client writes and one reads:",
      "",
      "  narrow   a table with the buckets before the step, all along",
      "  wide     a table with the buckets after it, all along",
      "  grown    the table that took the step after half of the rows; all region servers need",
      "           Evenkey's guard",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey bench scan",
      "  evenkey bench scan --buckets 16 --only limit_10 --json",
      "  evenkey bench index --rows 100000 --only events_put,events_buffered,covered_limit_20",
      "  evenkey bench grow --rows 2000000 --buckets 16,48",
      "  evenkey bench get --conf /etc/hbase/conf"
    },
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  /** The most values of a salt in one byte; a comparison with more regions is meaningless. */
  private static final int MOST_BUCKETS = 256;

  private static final int BEFORE_STEP = 16;
  private static final int AFTER_STEP = 48;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "scan|get|put|index|grow", description = "The operation to compare.")
  private What what = What.SCAN;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Number of rows, a multiple of 1000 (default ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--buckets",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "16",
      description =
          "Numbers of salt buckets (default ${DEFAULT-VALUE}); for grow, the two before and after"
              + " the step (default 16,48).")
  private List<Integer> buckets = List.of();

  @Option(
      names = "--over",
      paramLabel = "M",
      description =
          "Evenkey's table has slices: a thousand rows that follow each other share M buckets."
              + " Scans are then not compared with hand-written code. Not for index or grow.")
  private int over;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured rounds, after two warm-up rounds (default ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description =
          "Least duration of the warm-up of each side, in each task that reads rows in order "
              + "(default ${DEFAULT-VALUE}); 0 leaves the warm-up rounds out.")
  private int warmUp;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      defaultValue = "NONE",
      description =
          "Block encoding of all tables but Phoenix's: ${COMPLETION-CANDIDATES} (default "
              + "${DEFAULT-VALUE}).")
  private DataBlockEncoding encoding = DataBlockEncoding.NONE;

  @Option(
      names = "--only",
      paramLabel = "NAME,…",
      split = ",",
      description = "Run only the scans, or the tasks of index, with these names.")
  private List<String> only = List.of();

  @Option(
      names = "--sides",
      paramLabel = "NAME,…",
      split = ",",
      description =
          "Compare only these of client, naive and phoenix with plain and evenkey (default all).")
  private List<String> sides = BenchRun.OTHER_SIDES;

  @Mixin private ServersOption servers = new ServersOption();

  @Mixin private NamedClusterOption cluster = new NamedClusterOption();

  @Option(
      names = "--chart",
      paramLabel = "FILE",
      description = "Write a chart of the figures by number of buckets, as SVG.")
  private @Nullable Path chart;

  @Option(names = "--force", description = "Overwrite an existing chart.")
  private boolean force;

  @Option(names = "--json", description = "Print one JSON document with the figures.")
  private boolean json;

  /** The operations that can be compared. */
  enum What {
    SCAN,
    GET,
    PUT,
    INDEX,
    GROW
  }

  BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    check();
    OutputFile drawing = chart == null ? null : OutputFile.at(chart, force);
    if (what == What.GROW) {
      grow();
      return CommandLine.ExitCode.OK;
    }
    BenchSettings settings =
        new BenchSettings(
            new BenchRows(rows),
            buckets,
            rounds,
            Duration.ofSeconds(warmUp),
            over,
            encoding,
            Set.copyOf(sides));
    Figures<List<BenchRun>> figures =
        measured((hbase, peers, watch) -> runs(hbase, settings, peers, watch));
    List<BenchRun> runs = figures.measured;
    if (drawing != null) {
      drawing.write(BenchChart.svg(runs).getBytes(StandardCharsets.UTF_8));
    }
    if (json) {
      console.json(BenchReport.toMap(runs, settings, figures.servers));
    } else {
      console.table(BenchReport.table(runs));
    }
    return CommandLine.ExitCode.OK;
  }

  private void grow() throws IOException {
    boolean given = spec.commandLine().getParseResult().hasMatchedOption("--buckets");
    GrowthSettings settings =
        new GrowthSettings(
            rows,
            given ? buckets.get(0) : BEFORE_STEP,
            given ? buckets.get(1) : AFTER_STEP,
            rounds,
            encoding);
    Figures<Growth> figures =
        measured((hbase, peers, watch) -> Bench.growth(hbase, settings, watch));
    if (json) {
      console.json(figures.measured.toMap(settings, figures.servers));
    } else {
      console.table(figures.measured.table());
      console.out().println(figures.measured.summary(settings));
    }
  }

  /** The measurements, and the number of region servers. */
  private record Figures<T>(T measured, int servers) {}

  /** A comparison on a running HBase. */
  @FunctionalInterface
  private interface Comparison<T> {
    T on(Configuration hbase, List<Peer> peers, BenchWatch watch) throws IOException;
  }

  private <T> Figures<T> measured(Comparison<T> comparison) throws IOException {
    return cluster.isGiven() ? onCluster(comparison) : inProcess(comparison);
  }

  private <T> Figures<T> inProcess(Comparison<T> comparison) throws IOException {
    List<Peer> peers =
        ServiceLoader.load(Peer.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(peer -> sides.contains(peer.name()))
            .toList();
    Map<String, String> peerSettings = new LinkedHashMap<>();
    peers.forEach(peer -> peerSettings.putAll(peer.settings()));
    console.note("starting HBase with " + servers.count() + " region servers in this process …");
    try (EmbeddedHBase hbase =
            EmbeddedHBase.temporary().servers(servers.count()).settings(peerSettings).start();
        BenchWatch watch = new BenchWatch(console)) {
      return new Figures<>(comparison.on(hbase.configuration(), peers, watch), servers.count());
    }
  }

  // Without peers: they need settings and jars on the servers.
  private <T> Figures<T> onCluster(Comparison<T> comparison) throws IOException {
    Configuration configuration = cluster.configuration(Patience.WORK);
    int count;
    try (Cluster open = Cluster.open(configuration);
        Admin admin = open.connection().getAdmin()) {
      count = admin.getRegionServers().size();
    }
    try (BenchWatch watch = new BenchWatch(console)) {
      return new Figures<>(comparison.on(configuration, List.of(), watch), count);
    }
  }

  private List<BenchRun> runs(
      Configuration hbase, BenchSettings settings, List<Peer> peers, BenchWatch watch)
      throws IOException {
    return switch (what) {
      case SCAN -> Bench.scans(hbase, settings, scans(), peers, watch);
      case GET -> Bench.gets(hbase, settings, watch);
      case PUT -> Bench.puts(hbase, settings, watch);
      case INDEX -> Bench.indexes(hbase, settings, indexTasks(), peers, watch);
      case GROW -> throw new IllegalStateException("has figures of its own");
    };
  }

  private void check() {
    if (cluster.isGiven() && spec.commandLine().getParseResult().hasMatchedOption("--servers")) {
      throw new ParameterException(
          spec.commandLine(),
          "--servers is for an HBase in this process: leave it out with --quorum or --conf");
    }
    if (rows < 1000 || rows % 1000 != 0) {
      throw UsageErrors.outOfRange(spec, "--rows", rows, "give whole thousands");
    }
    if (rounds < 1) {
      throw UsageErrors.outOfRange(spec, "--rounds", rounds, "give 1 or more");
    }
    if (warmUp < 0) {
      throw UsageErrors.outOfRange(spec, "--warm-up", warmUp, "give 0 or more");
    }
    for (int count : buckets) {
      if (count < 1 || count > MOST_BUCKETS) {
        throw UsageErrors.outOfRange(spec, "--buckets", count, "give 1 to " + MOST_BUCKETS);
      }
    }
    for (String side : sides) {
      if (!BenchRun.OTHER_SIDES.contains(side)) {
        throw UsageErrors.outOfRange(
            spec, "--sides", side, "give some of " + String.join(", ", BenchRun.OTHER_SIDES));
      }
    }
    if (over < 0 || over > MOST_BUCKETS) {
      throw UsageErrors.outOfRange(spec, "--over", over, "give 1 to " + MOST_BUCKETS);
    }
    if ((what == What.INDEX || what == What.GROW) && over > 0) {
      throw new ParameterException(
          spec.commandLine(), "--over is for scan, get and put: leave it out");
    }
    if (what == What.GROW) {
      checkGrowth();
    }
    if (what == What.SCAN && scans().isEmpty()) {
      throw unknownNames(Task.scans().stream().map(Task::name));
    }
    if (what == What.INDEX && indexTasks().isEmpty()) {
      throw unknownNames(indexTasksOfServers().map(IndexTask::name));
    }
  }

  private void checkGrowth() {
    if (spec.commandLine().getParseResult().hasMatchedOption("--buckets")
        && (buckets.size() != 2 || buckets.get(0).equals(buckets.get(1)))) {
      throw new ParameterException(
          spec.commandLine(),
          "--buckets for grow: give two numbers that differ, before and after the step: 16,48");
    }
    if (chart != null || !only.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--chart and --only are not for grow: leave them out");
    }
  }

  private ParameterException unknownNames(Stream<String> known) {
    return UsageErrors.outOfRange(
        spec,
        "--only",
        String.join(",", only),
        "give some of " + known.collect(Collectors.joining(", ")));
  }

  private boolean isWanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  private List<Task> scans() {
    return Task.scans().stream().filter(task -> isWanted(task.name())).toList();
  }

  private List<IndexTask> indexTasks() {
    return indexTasksOfServers().filter(task -> isWanted(task.name())).toList();
  }

  // Region servers on other machines do not see files of this one.
  private Stream<IndexTask> indexTasksOfServers() {
    return IndexTask.all().stream().filter(task -> !cluster.isGiven() || !task.needsFiles());
  }
}
