/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.cluster.ClusterOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Servers of one line of HBase, each a separate process. */
enum Servers {
  SERVERS_2_4("2.4"),
  SERVERS_2_5("2.5"),
  SERVERS_2_6("2.6");

  private final String line;

  Servers(String line) {
    this.line = line;
  }

  /**
   * The settings of a cluster of these servers.
   *
   * @param directory the directory of the cluster
   */
  ClusterOptions options(Path directory) throws IOException {
    Path resolved = Path.of("..", "servers", line, "target", "classpath");
    assertThat(resolved).as("made by the module of that name, with -Pserver-versions").exists();
    ClusterOptions options =
        ClusterOptions.defaults()
            .withRegionServers(2)
            .withYarn(false)
            .withClassPath(Files.readString(resolved).strip() + File.pathSeparator + pages())
            .keepingLogs();
    return this == SERVERS_2_4
        ? options.withoutGuard().withSettings(localFiles(directory))
        : options;
  }

  /**
   * Newer releases of HBase are published without their web pages, and their servers do not start
   * without a directory for them: an empty one is last on the class path.
   */
  private static Path pages() throws IOException {
    Path directory = Path.of("target", "pages").toAbsolutePath();
    for (String server : List.of("master", "regionserver", "static")) {
      Files.createDirectories(directory.resolve("hbase-webapps").resolve(server));
    }
    return directory;
  }

  /**
   * HBase 2.4 is published for Hadoop 2 only. On the HDFS client of Hadoop 3 its region servers
   * abort when they close a store file, by a NoSuchMethodError.
   */
  private static Map<String, String> localFiles(Path directory) {
    return Map.of(
        "hbase.rootdir",
        directory.resolve("tmp").resolve("hbase").toUri().toString(),
        "hbase.unsafe.stream.capability.enforce",
        "false");
  }

  /** Whether the guard supports these servers. */
  boolean hasGuard() {
    return this != SERVERS_2_4;
  }

  /** The line, such as 2.5; also the name of the module. */
  @Override
  public String toString() {
    return line;
  }
}
