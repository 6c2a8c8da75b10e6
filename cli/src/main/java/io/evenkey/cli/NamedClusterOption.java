/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of a command that uses a running HBase only if the user names it. */
public final class NamedClusterOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--quorum",
      paramLabel = "HOST:PORT,…",
      description = "Use the HBase of these ZooKeeper servers.")
  private @Nullable String quorum;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description = "Use the HBase of the hbase-site.xml in this directory.")
  private @Nullable Path directory;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "A property of the HBase or Evenkey client; overrides all other sources.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Whether the user names an HBase. */
  public boolean isGiven() {
    return quorum != null || directory != null;
  }

  /** The client's configuration. */
  public Configuration configuration(Patience patience) {
    Path site = directory == null ? null : ClusterSettings.site(command, "--conf", directory);
    return ClusterSettings.of(site, quorum, settings, patience);
  }
}
