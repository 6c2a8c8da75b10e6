package io.evenkey.app.cli;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.catalog.CheckSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** How the client of a command reaches a cluster. */
final class ClusterSettings {
  static final String SITE = "hbase-site.xml";

  /** Hadoop's own files, for HDFS and for jobs on YARN; HBase's come last and win. */
  private static final List<String> HADOOP =
      List.of("core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml");

  private ClusterSettings() {}

  /** The file of {@code --conf}. */
  static Path site(CommandSpec command, Path directory) {
    Path file = directory.resolve(SITE);
    if (!Files.isReadable(file)) {
      throw new ParameterException(
          command.commandLine(),
          "no " + SITE + " that can be read: --conf=" + directory + "; name its directory");
    }
    return file;
  }

  /**
   * The settings of a client.
   *
   * @param site an hbase-site.xml, beside which Hadoop's files may be; null for none
   * @param quorum ZooKeeper's servers; null for those of the site
   * @param settings over all others
   * @param patience where nothing else is set
   */
  static Configuration of(
      @Nullable Path site,
      @Nullable String quorum,
      Map<String, String> settings,
      Patience patience) {
    Configuration configuration = HBaseConfiguration.create();
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
}
