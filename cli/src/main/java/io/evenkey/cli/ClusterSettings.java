/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.catalog.DeclaredKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The configuration of a command's HBase client. */
final class ClusterSettings {
  static final String SITE = "hbase-site.xml";

  /**
   * Hadoop's own files, for HDFS and for jobs on YARN; HBase's files come last and override them.
   */
  private static final List<String> HADOOP =
      List.of("core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml");

  private ClusterSettings() {}

  /**
   * The file in a directory.
   *
   * @param source the option or variable that names the directory
   */
  static Path site(CommandSpec command, String source, Path directory) {
    Path file = directory.resolve(SITE);
    if (!Files.isReadable(file)) {
      throw new ParameterException(
          command.commandLine(),
          "no " + SITE + " that can be read: " + source + "=" + directory + "; name its directory");
    }
    return file;
  }

  /**
   * The settings of a client.
   *
   * @param site an hbase-site.xml, with Hadoop's files optionally in the same directory; null for
   *     none
   * @param quorum ZooKeeper's servers; null for the servers of the site
   * @param settings properties that override all others
   * @param patience timeouts and retries that apply unless set otherwise
   */
  static Configuration of(
      @Nullable Path site,
      @Nullable String quorum,
      Map<String, String> settings,
      Patience patience) {
    Configuration given = ofFiles(site, quorum);
    patience.applyTo(given);
    settings.forEach(given::set);
    // Commands choose logical or physical rows explicitly.
    Configuration configuration = EvenkeyConnection.plain(given);
    // Commands are short and rare: checking that registry and descriptor agree is worth the
    // requests.
    configuration.setIfUnset(CheckSettings.WHEN, "first");
    configuration.setIfUnset(DeclaredKeys.OF_ALL_TABLES, DeclaredKeys.BY_FIELDS);
    return configuration;
  }

  /** The settings of an application, whose connections may be drop-ins. */
  static Configuration ofApplication(
      @Nullable Path site, @Nullable String quorum, Map<String, String> settings) {
    Configuration configuration = ofFiles(site, quorum);
    settings.forEach(configuration::set);
    return configuration;
  }

  private static Configuration ofFiles(@Nullable Path site, @Nullable String quorum) {
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
    return configuration;
  }

  private static void add(Configuration configuration, Path file) {
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
  }
}
