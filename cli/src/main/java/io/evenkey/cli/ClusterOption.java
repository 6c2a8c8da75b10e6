/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that select a command's HBase. */
final class ClusterOption {
  /** The default directory of {@code evenkey dev}. */
  private static final Path DEV = Path.of("evenkey-data", "conf");

  private static final String ENVIRONMENT = "HBASE_CONF_DIR";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--quorum",
      paramLabel = "HOST:PORT,…",
      description = "HBase's ZooKeeper servers.")
  private @Nullable String quorum;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "Directory with an hbase-site.xml and, for jobs on YARN, Hadoop's core-site.xml, "
              + "hdfs-site.xml and so on. Without --quorum and --conf: $HBASE_CONF_DIR, then an "
              + "'evenkey dev' running in ./evenkey-data, then HBase's own defaults.")
  private @Nullable Path directory;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "A property of the HBase or Evenkey client; overrides all other sources.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Connects with a patience for work that has to survive the failure of a server. */
  Cluster open() throws IOException {
    return Cluster.open(configuration(Patience.WORK));
  }

  /** Connects with the short patience of an interactive query. */
  Cluster openBriefly() throws IOException {
    return Cluster.open(configuration(Patience.QUESTION));
  }

  /** The client's configuration, with this patience for settings that the user leaves open. */
  Configuration configuration(Patience patience) {
    return ClusterSettings.of(site(), quorum, settings, patience);
  }

  /** The settings that an application would read here, plug points of HBase's client included. */
  Configuration ofApplication() {
    return ClusterSettings.ofApplication(site(), quorum, settings);
  }

  private @Nullable Path site() {
    if (directory != null) {
      return ClusterSettings.site(command, "--conf", directory);
    }
    if (quorum != null) {
      if (quorum.isBlank()) {
        throw new ParameterException(
            command.commandLine(), "no servers: --quorum=''; give HOST:PORT, or leave it out");
      }
      return null;
    }
    String environment = System.getenv(ENVIRONMENT);
    if (environment != null && !environment.isEmpty()) {
      return ClusterSettings.site(command, ENVIRONMENT, Path.of(environment));
    }
    Path file = DEV.resolve(ClusterSettings.SITE);
    return Files.isReadable(file) ? file : null;
  }
}
