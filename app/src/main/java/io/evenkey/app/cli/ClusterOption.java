package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which HBase a command works on. */
final class ClusterOption {
  /** Where {@code evenkey dev} keeps its data by default. */
  private static final Path DEV = Path.of("evenkey-data", "conf");

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
      description = {
        "Directory with an hbase-site.xml and, for jobs on YARN, Hadoop's core-site.xml,",
        "hdfs-site.xml and so on. Without --quorum and --conf: $HBASE_CONF_DIR, then an",
        "'evenkey dev' running in ./evenkey-data, then HBase's own defaults."
      })
  private @Nullable Path directory;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "A property of the HBase or Evenkey client; overrides all other sources.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Connects to it, for work that has to outlast the failure of a server. */
  Cluster open() throws IOException {
    return Cluster.open(configuration(Patience.WORK));
  }

  /** Connects to it, for a question at a terminal. */
  Cluster openBriefly() throws IOException {
    return Cluster.open(configuration(Patience.QUESTION));
  }

  /** How a client reaches it, with this patience where the user has set nothing else. */
  Configuration configuration(Patience patience) {
    return ClusterSettings.of(site(), quorum, settings, patience);
  }

  private @Nullable Path site() {
    if (directory != null) {
      return ClusterSettings.site(command, directory);
    }
    if (quorum != null) {
      return null;
    }
    String environment = System.getenv("HBASE_CONF_DIR");
    Path file =
        (environment == null || environment.isEmpty() ? DEV : Path.of(environment))
            .resolve(ClusterSettings.SITE);
    return Files.isReadable(file) ? file : null;
  }
}
