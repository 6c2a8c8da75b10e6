package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.client.CheckSettings;
import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which HBase a command works on. */
final class ClusterOption {
  /** Where {@code evenkey dev} keeps its data by default. */
  private static final Path DEV = Path.of("evenkey-data", "conf");

  /** Hadoop's own files, for HDFS and for jobs on YARN; HBase's come last and win. */
  private static final List<String> HADOOP =
      List.of("core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml");

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
        "Directory with an hbase-site.xml, and Hadoop's files for HDFS and YARN where jobs are to",
        "run there. Unless one of the two is given: $HBASE_CONF_DIR,",
        "then an 'evenkey dev' running in ./evenkey-data, then HBase's own defaults."
      })
  private @Nullable Path directory;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "A setting of HBase's or Evenkey's client, over all others.")
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
    Configuration configuration = HBaseConfiguration.create();
    Path site = site();
    if (site != null) {
      for (String name : HADOOP) {
        Path file = site.resolveSibling(name);
        if (Files.isReadable(file)) {
          add(configuration, file);
        }
      }
      add(configuration, site);
    }
    if (quorum != null) {
      configuration.set("hbase.zookeeper.quorum", quorum);
    }
    patience.applyTo(configuration);
    settings.forEach(configuration::set);
    // Commands say themselves what is logical and what is stored.
    configuration.unset(EvenkeyConnection.SETTING);
    configuration.unset(EvenkeyAsyncConnection.SETTING);
    // A command is short and seldom: that registry and descriptor agree is worth its requests.
    configuration.setIfUnset(CheckSettings.WHEN, "first");
    return configuration;
  }

  private static void add(Configuration configuration, Path file) {
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
  }

  private @Nullable Path site() {
    if (directory != null) {
      Path file = directory.resolve("hbase-site.xml");
      if (!Files.isReadable(file)) {
        throw new ParameterException(
            command.commandLine(),
            "no hbase-site.xml that can be read: --conf=" + directory + "; name its directory");
      }
      return file;
    }
    if (quorum != null) {
      return null;
    }
    String environment = System.getenv("HBASE_CONF_DIR");
    Path file =
        (environment == null || environment.isEmpty() ? DEV : Path.of(environment))
            .resolve("hbase-site.xml");
    return Files.isReadable(file) ? file : null;
  }
}
