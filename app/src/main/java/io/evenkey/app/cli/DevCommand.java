package io.evenkey.app.cli;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey dev}. */
@Command(
    name = "dev",
    header = "Run an HBase in this process until Ctrl-C, and keep its data.",
    description = {
      "",
      "ZooKeeper, a master and region servers over a local directory, on 127.0.0.1 only.",
      "The next start in the same directory has all tables again.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey dev --dir ./hbase-data",
    sortOptions = false)
final class DevCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "evenkey-data",
      description = "Where everything is kept (default ./${DEFAULT-VALUE}).")
  private Path directory = Path.of("evenkey-data");

  @Mixin private ServersOption servers = new ServersOption();

  DevCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    console.note("starting HBase with " + servers.count() + " region servers in this process …");
    try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(servers.count()).start()) {
      console.out().println("HBase is running; Ctrl-C stops it. For its clients:");
      console.out().println("  hbase.zookeeper.quorum                127.0.0.1");
      console.out().println("  hbase.zookeeper.property.clientPort   " + hbase.zooKeeperPort());
      console.out().println("or  export HBASE_CONF_DIR=" + hbase.configurationDirectory());
      console.out().println("data  " + hbase.directory());
      console.out().println("log   " + hbase.logFile());
      // Until Ctrl-C: the exit of this process closes the instance.
      new CountDownLatch(1).await();
    }
    return CommandLine.ExitCode.OK;
  }
}
