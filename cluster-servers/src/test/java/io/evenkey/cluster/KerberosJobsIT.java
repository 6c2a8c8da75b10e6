/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on a YARN that asks for Kerberos: tasks have no key, and work by the delegation tokens of
 * HBase and HDFS. The job has no reducer: on a secured cluster YARN hands out what mappers write
 * only with Hadoop's native library, which is not in Maven repositories.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KerberosJobsIT {
  // On a cluster of one machine containers are processes of this user.
  private static final String USER = System.getProperty("user.name");
  private static final String TABLE = "by_job";
  private static final int ROWS = 2_000;

  private static SeparateCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    Path base = Path.of(System.getProperty("evenkey.cluster.tests"), "kerberos-jobs");
    cluster =
        SeparateCluster.start(
            base,
            ClusterOptions.defaults()
                .withRegionServers(1)
                .withKerberos(Kerberos.of(USER))
                .keepingLogs());
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aTableIsMigratedByAJob() throws Exception {
    Path csv = directory.resolve("records.csv");
    Files.write(
        csv,
        (Iterable<String>)
            () ->
                IntStream.range(-1, ROWS)
                    .mapToObj(row -> row < 0 ? "id,v" : String.format("%08d,value %d", row, row))
                    .iterator());
    String work = "/user/" + USER + "/work";
    evenkey("plan", TABLE, "--layout", "salt(3) + id:digits(8)", "--families", "d");
    evenkey("create", TABLE);
    evenkey("import", TABLE, "--csv", csv.toString(), "--checkpoint", directory + "/checkpoint");
    assertThat(evenkey("count", TABLE).out()).contains(String.valueOf(ROWS));
    evenkey(
        "migrate",
        TABLE,
        "--yes",
        "--layout",
        "salt(4) + id:digits(8)",
        "--by",
        "puts",
        "--switch",
        "--finish",
        "--work",
        work);
    assertThat(evenkey("verify", TABLE).out()).contains("salt(4)");
    assertThat(evenkey("count", TABLE).out()).contains(String.valueOf(ROWS));
  }

  private static Evenkey evenkey(String... arguments) throws Exception {
    return Evenkey.as(USER, cluster, arguments).done();
  }
}
