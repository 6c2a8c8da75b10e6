/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.launch.PortalSettings;
import io.evenkey.report.launch.PortalStarter;
import io.evenkey.report.launch.RunningPortal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey portal}. */
@Rights({
  "The rights of each requested operation, for the user who runs the portal.",
  "For its history, C on the namespace evenkey, or A on the cluster to create the namespace."
})
@Command(
    name = "portal",
    header = "Show a cluster's tables, plans and heat in the browser, until Ctrl-C.",
    description = {
      "",
      "Reads HBase's counters every minute and keeps five weeks of them, at decreasing "
          + "resolution, in the table evenkey:heat. Listens on this machine only. Changes need the "
          + "token, which is part of the printed address.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey portal --quorum zk1:2181,zk2:2181,zk3:2181",
      "  evenkey portal --read-only --port 8080",
      "  evenkey portal --identity-header X-Forwarded-User --trusted-proxy 127.0.0.1 \\",
      "      --allowed-host hbase.example.org"
    },
    sortOptions = false)
final class PortalCommand implements Callable<Integer> {
  private final Console console;
  private final PortalStarter portal;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "The address to listen on (default ${DEFAULT-VALUE}). On any non-local address, reading "
              + "also needs the token; put TLS in front.")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + PortalSettings.PORT,
      description = "The port (default ${DEFAULT-VALUE}); 0 for a free port.")
  private int port = PortalSettings.PORT;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File whose first line is the token, 16 characters or more (default: $EVENKEY_TOKEN, or "
              + "a new token).")
  private @Nullable Path tokenFile;

  @Option(names = "--read-only", description = "Change nothing: no plans, no tables, no history.")
  private boolean readOnly;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = {
        "Interval of reading counters (default ${DEFAULT-VALUE}); HBase's servers report every 3 s."
      })
  private int every = 60;

  @Option(names = "--no-history", description = "Keep the heat in memory only.")
  private boolean noHistory;

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      description = "A host name that browsers may use, in addition to localhost.")
  private List<String> hosts = List.of();

  @Option(
      names = "--identity-header",
      paramLabel = "NAME",
      description = "Header in which a reverse proxy names the user; replaces the token.")
  private @Nullable String identityHeader;

  @Option(
      names = "--trusted-proxy",
      paramLabel = "ADDRESS",
      description = "Address of a proxy whose identity header is trusted.")
  private List<String> proxies = List.of();

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description = "Append every change and its user, as JSON lines.")
  private @Nullable Path audit;

  @Mixin private ClusterOption cluster = new ClusterOption();

  PortalCommand(Console console, PortalStarter portal) {
    this.console = console;
    this.portal = portal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    UsageErrors.checkPort(spec, port);
    UsageErrors.checkEvery(spec, every);
    if ((identityHeader == null) != proxies.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--identity-header and --trusted-proxy belong together; give both, or none");
    }
    PortalToken token = PortalToken.of(spec, tokenFile);
    PortalSettings settings =
        PortalSettings.local(port, token.value())
            .host(host)
            .every(Duration.ofSeconds(every))
            .stored(!noHistory)
            .hosts(hosts)
            .behind(identityHeader, proxies)
            .audit(audit)
            .readOnly(readOnly)
            .build();
    try (Cluster open = cluster.open();
        RunningPortal running = portal.start(settings, open)) {
      console.out().println("portal   " + token.address(running.url()));
      console.out().println("cluster  " + open.registry());
      console.note("Ctrl-C stops it.");
      new CountDownLatch(1).await();
    }
    return CommandLine.ExitCode.OK;
  }
}
