/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The directory of a cluster of separate processes. */
final class ClusterDirectoryOption {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "evenkey-cluster",
      description = "The cluster's directory (default ./${DEFAULT-VALUE}).")
  private Path directory = Path.of("evenkey-cluster");

  Path path() {
    return directory;
  }
}
