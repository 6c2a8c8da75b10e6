/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Applications with Evenkey's client and a Hadoop and HBase that this build does not choose. */
@ExtendWith(EmbeddedHBaseExtension.class)
class FreshProjectsIT {
  private static final String VERSION = System.getProperty("evenkey.version");
  private static final String CLIENT = "io.evenkey:evenkey-client:" + VERSION;
  private static final String SHADED_CLIENT = "io.evenkey:evenkey-shaded-client:" + VERSION;
  private static final String HBASE_CLIENT = "org.apache.hbase:hbase-client:";
  private static final String HBASE_SHADED_CLIENT = "org.apache.hbase:hbase-shaded-client:";

  private static void run(EmbeddedHBase hbase, List<String> dependencies) throws Exception {
    List<Path> jars = new FreshProject(dependencies).classPath();
    String classPath =
        Stream.concat(
                Stream.of(Path.of("target", "classes"), hbase.configurationDirectory()),
                jars.stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                OwnTables.class.getName(),
                "fresh_" + Integer.toHexString(dependencies.hashCode()),
                ApplicationRun.servers(hbase.connection()))
            .redirectErrorStream(true)
            .start();
    String said = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(application.waitFor()).as("%s: %s", dependencies, said).isZero();
    assertThat(said).contains("done");
  }

  @Tag("ci")
  @Test
  void hbaseMayBeNamedFirst(EmbeddedHBase hbase) throws Exception {
    run(hbase, List.of(HBASE_CLIENT + "2.6.1-hadoop3", CLIENT));
  }

  static List<List<String>> projects() {
    List<List<String>> projects = new ArrayList<>();
    for (String line :
        List.of(
            "2.5.11-hadoop3", "2.5.13-hadoop3", "2.6.1-hadoop3", "2.6.4-hadoop3", "3.0.0-beta-1")) {
      inBothOrders(projects, CLIENT, HBASE_CLIENT + line);
    }
    for (String line :
        List.of("2.5.10-hadoop3", "2.5.11-hadoop3", "2.6.3-hadoop3", "2.6.4-hadoop3")) {
      inBothOrders(projects, SHADED_CLIENT, HBASE_SHADED_CLIENT + line);
    }
    // What Hadoop depends on is as near to the application here as what Evenkey depends on.
    inBothOrders(
        projects, CLIENT, "org.apache.hadoop:hadoop-common:3.3.6", HBASE_CLIENT + "2.6.1-hadoop3");
    // And nearer here.
    inBothOrders(
        projects,
        CLIENT,
        "org.apache.curator:curator-client:5.2.0",
        "com.fasterxml.jackson.core:jackson-databind:2.9.10.8",
        HBASE_CLIENT + "2.6.1-hadoop3");
    return projects;
  }

  private static void inBothOrders(List<List<String>> projects, String... dependencies) {
    List<String> order = List.of(dependencies);
    projects.add(order);
    List<String> reversed = new ArrayList<>(order);
    Collections.reverse(reversed);
    projects.add(reversed);
  }

  @ParameterizedTest
  @MethodSource("projects")
  @Tag("long")
  void theVersionsThatMavenChoosesWork(List<String> dependencies, EmbeddedHBase hbase)
      throws Exception {
    run(hbase, dependencies);
  }
}
