/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** A client of the test's HBase in a JVM of its own, with the test's classes. */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * A JVM that is not started yet.
   *
   * @param main its main class, whose first two arguments are for {@link #configuration}
   * @param more the other arguments
   */
  public static ProcessBuilder of(Class<?> main, Configuration hbase, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                hbase.get(HConstants.ZOOKEEPER_QUORUM),
                hbase.get(HConstants.ZOOKEEPER_CLIENT_PORT)));
    command.addAll(List.of(more));
    return new ProcessBuilder(command);
  }

  /** The configuration for the test's HBase, in the JVM. */
  public static Configuration configuration(String[] arguments) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, arguments[0]);
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, arguments[1]);
    return configuration;
  }
}
