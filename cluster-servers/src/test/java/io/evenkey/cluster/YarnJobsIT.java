/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.mapreduce.BulkLoad;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a YARN whose servers and containers are processes of their own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class YarnJobsIT {
  private static final int ROWS = 60_000;

  @RegisterExtension
  private static final ClusterExtension CLUSTER =
      ClusterExtension.in("yarn", ClusterOptions.defaults());

  private final SeparateCluster cluster;
  private final Connection plain;

  @TempDir private Path directory;

  YarnJobsIT(SeparateCluster cluster, Connection plain) {
    this.cluster = cluster;
    this.plain = plain;
  }

  @Tag("long")
  @Test
  void aBulkImportRunsAsAJobOnYarn() throws IOException {
    // A reducer a region, each of which is a JVM.
    TableName table = Rows.create(plain, "bulk", 3);
    Configuration configuration = cluster.configuration();
    org.apache.hadoop.fs.Path csv = new org.apache.hadoop.fs.Path("/input/records.csv");
    try (FileSystem files = FileSystem.newInstance(configuration);
        PrintStream out = new PrintStream(files.create(csv), false, StandardCharsets.UTF_8)) {
      out.println("id,v");
      for (int row = 0; row < ROWS; row++) {
        out.printf("%08d,value %d%n", row, row);
      }
    }
    LoadResult result;
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable open = tables.open(table);
      result =
          BulkLoad.of(table, open.layout(), List.of(csv), null, options())
              .run(plain, new org.apache.hadoop.fs.Path("/work"), share -> {});
    }
    assertThat(result.rows()).isEqualTo(ROWS);
    assertThat(FinishedJobs.of(cluster)).contains("evenkey import bulk");
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.assertAll(dropIn, table, ROWS);
    }
  }

  // Its job came to an end in 5 minutes of a busy machine; comparing the rows did not.
  @Test
  @Tag("full")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void anApplicationsJobOnYarnUsesHBasesFormatsByTheSettingAlone() throws Exception {
    try (Stream<Path> jars =
        Files.list(Path.of(ClusterOptions.defaults().classPath()).getParent())) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .as("what tasks have without the job's jars")
          .noneMatch(jar -> jar.startsWith("evenkey-client"));
    }
    TableName from = Rows.create(plain, "copied_from", 2);
    TableName into = Rows.create(plain, "copied_into", 3);
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, from, 0, 3_000, rows -> {});
      Configuration settings = cluster.configuration();
      settings.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      Job job = CopyRows.job(settings, from, into, directory.resolve("copy-rows.jar"));
      assertThat(job.waitForCompletion(false)).as("job " + job.getTrackingURL()).isTrue();
      assertThat(FinishedJobs.of(cluster)).contains(CopyRows.NAME);
      Rows.assertAll(dropIn, into, 3_000);
    }
  }

  private LoadOptions options() {
    return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
        .onCollision(DuplicateKeyPolicy.FAIL)
        .replace(true)
        .build();
  }
}
