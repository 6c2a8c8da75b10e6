package io.evenkey.app.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The HBase that a command works on only if the user names it. */
final class NamedClusterOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--quorum",
      paramLabel = "HOST:PORT,…",
      description = "Work on the HBase of these ZooKeeper servers.")
  private @Nullable String quorum;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description = "Work on the HBase of the hbase-site.xml in this directory.")
  private @Nullable Path directory;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "A setting of HBase's or Evenkey's client, over all others.")
  private Map<String, String> settings = new LinkedHashMap<>();

  boolean isGiven() {
    return quorum != null || directory != null;
  }

  /** How a client reaches it. */
  Configuration configuration(Patience patience) {
    Path site = directory == null ? null : ClusterSettings.site(command, directory);
    return ClusterSettings.of(site, quorum, settings, patience);
  }
}
