/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.cluster.SeparateCluster;
import io.evenkey.jobs.migration.MigrationPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications with each of the client jars work on servers of each line of HBase: on all of them,
 * or those that {@code -Devenkey.servers=2.5} and {@code -Devenkey.clients=hbase-client-2.6} name,
 * both regular expressions.
 */
@Tag("server-versions")
class ServerVersionsIT {
  @TempDir private Path directory;

  static Stream<Servers> servers() {
    return Stream.of(Servers.values()).filter(asked("evenkey.servers"));
  }

  private static Predicate<Object> asked(String property) {
    Pattern names = Pattern.compile(System.getProperty(property, ".*"));
    return each -> names.matcher(each.toString()).matches();
  }

  @ParameterizedTest
  @MethodSource("servers")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void applicationsWorkOnServersOf(Servers servers) throws Exception {
    List<ClientJars> clients =
        Stream.of(ClientJars.values()).filter(asked("evenkey.clients")).toList();
    assertThat(clients).as("clients that are tried").isNotEmpty();
    Path base = Path.of("target", "clusters", "servers-" + servers).toAbsolutePath();
    UnaryOperator<MigrationPlan> accepted =
        servers.hasGuard() ? UnaryOperator.identity() : MigrationPlan::acceptingPause;
    try (SeparateCluster cluster = SeparateCluster.start(base, servers.options(base));
        Connection plain = ConnectionFactory.createConnection(cluster.configuration())) {
      SoftAssertions all = new SoftAssertions();
      for (ClientJars jars : clients) {
        Path files = Files.createDirectories(directory.resolve(servers + "-" + jars));
        Path configuration = cluster.directory().resolve("conf");
        all.assertThatCode(
                () ->
                    new ApplicationRun(
                            jars, configuration, plain, servers.hasGuard(), accepted, files)
                        .run())
            .as("%s on servers %s", jars, servers)
            .doesNotThrowAnyException();
      }
      all.assertAll();
    }
  }
}
