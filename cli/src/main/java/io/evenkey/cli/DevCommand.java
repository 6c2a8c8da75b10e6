/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.launch.PortalSettings;
import io.evenkey.report.launch.PortalStarter;
import io.evenkey.report.launch.RunningPortal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey dev}. */
@Command(
    name = "dev",
    header = "Run HBase and the portal in this process until Ctrl-C; the data is kept.",
    description = {
      "",
      "ZooKeeper, a master and region servers over a local directory, on 127.0.0.1 only. The next"
          + " start in the same directory finds all tables again. The portal's heat history and"
          + " audit log are also kept there.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey dev --dir ./hbase-data",
    sortOptions = false)
final class DevCommand implements Callable<Integer> {
  private final Console console;
  private final PortalStarter portal;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "evenkey-data",
      description = "Directory for all data (default ./${DEFAULT-VALUE}).")
  private Path directory = Path.of("evenkey-data");

  @Mixin private ServersOption servers = new ServersOption();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The portal's port (default 8620, or a free port if 8620 is taken).")
  private @Nullable Integer port;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Interval at which the portal reads counters (default ${DEFAULT-VALUE}).")
  private int every = 60;

  @Option(names = "--no-portal", description = "Run HBase without the portal.")
  private boolean noPortal;

  DevCommand(Console console, PortalStarter portal) {
    this.console = console;
    this.portal = portal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port != null) {
      UsageErrors.checkPort(spec, port);
    }
    UsageErrors.checkEvery(spec, every);
    Path log;
    // When the user stops this process, HBase stops with it: that is no failure.
    console.ifStopped(
        () -> "the data is kept; start it again with: " + Interruption.sameCommand(spec));
    console.note("starting HBase with " + servers.count() + " region servers in this process …");
    try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(servers.count()).start()) {
      console.out().println("HBase is running; Ctrl-C stops it. For its clients:");
      console.out().println("  hbase.zookeeper.quorum                127.0.0.1");
      console.out().println("  hbase.zookeeper.property.clientPort   " + hbase.zooKeeperPort());
      console.out().println("or  export HBASE_CONF_DIR=" + hbase.configurationDirectory());
      console.out().println("data  " + hbase.directory());
      console.out().println("log   " + hbase.logFile());
      // Until Ctrl-C: the exit of this process closes the instance.
      if (noPortal) {
        hbase.awaitEnd();
      } else {
        show(hbase);
      }
      log = hbase.logFile();
      // Before its end is waited for, which can take a while.
      console.note("HBase in this process has ended; stopping what is left of it …");
    }
    throw new EvenkeyException(
        "HBase ended by itself, as it does after a computer has slept for longer than ZooKeeper"
            + " sessions last: log="
            + log
            + "; start it again in the same directory: evenkey dev --dir "
            + directory);
  }

  // Another one may be running.
  private static int freePort() {
    try (ServerSocket usual =
        new ServerSocket(PortalSettings.PORT, 1, InetAddress.getLoopbackAddress())) {
      return usual.getLocalPort();
    } catch (IOException e) {
      return 0;
    }
  }

  private void show(EmbeddedHBase hbase) throws IOException, InterruptedException {
    PortalToken token = PortalToken.random();
    PortalSettings settings =
        PortalSettings.local(port == null ? freePort() : port, token.value())
            .every(Duration.ofSeconds(every))
            .audit(hbase.directory().resolve("portal-audit.jsonl"))
            .build();
    try (Cluster open = Cluster.open(hbase.configuration());
        RunningPortal running = portal.start(settings, open)) {
      console.out().println("portal  " + token.address(running.url()));
      hbase.awaitEnd();
    }
  }
}
