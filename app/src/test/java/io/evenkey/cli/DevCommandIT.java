/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.app.Main;
import io.evenkey.embedded.EmbeddedHBase;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevCommandIT {
  private static final TableName KEPT = TableName.valueOf("kept");

  @Tag("long")
  @Test
  void servesClientsUntilItIsInterruptedAndKeepsTheirTables(@TempDir Path directory)
      throws Exception {
    Path data = directory.resolve("data");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "dev",
                "--dir",
                data.toString(),
                "--port",
                "0",
                "--servers",
                "1")
            .redirectError(directory.resolve("err.txt").toFile())
            .start();
    try (BufferedReader out = process.inputReader()) {
      Configuration conf = HBaseConfiguration.create();
      conf.set("hbase.zookeeper.quorum", "127.0.0.1");
      conf.set("hbase.zookeeper.property.clientPort", port(out));
      create(conf);
      // Like Ctrl-C.
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    assertThat(directory.resolve("err.txt"))
        .content()
        .contains("stopped: the data is kept; start it again with: evenkey dev --dir " + data)
        .doesNotContain("Exception", "has ended");
    try (EmbeddedHBase again = EmbeddedHBase.in(data).servers(1).start();
        Admin admin = again.connection().getAdmin()) {
      assertThat(admin.tableExists(KEPT)).isTrue();
    }
  }

  @Tag("long")
  @Test
  void endsWithALineWhenItsHBaseHasEnded(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("data");
    CompletableFuture<Run> run =
        CompletableFuture.supplyAsync(
            () -> Run.of("dev", "--dir", data.toString(), "--servers", "1", "--no-portal"));
    Path site = data.resolve("conf").resolve("hbase-site.xml");
    await().atMost(Duration.ofMinutes(3)).until(() -> Files.exists(site) || run.isDone());
    Configuration conf = HBaseConfiguration.create();
    conf.addResource(site.toUri().toURL());
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.stopMaster();
    }
    Run ended = run.get(3, TimeUnit.MINUTES);
    assertThat(ended.exit()).isEqualTo(1);
    assertThat(ended.err()).contains("HBase ended by itself").contains("evenkey dev --dir " + data);
    try (EmbeddedHBase again = EmbeddedHBase.in(data).servers(1).start()) {
      assertThat(again.servers()).hasSize(1);
    }
  }

  private static String port(BufferedReader out) throws Exception {
    Pattern line = Pattern.compile("\\s*hbase.zookeeper.property.clientPort\\s+(\\d+)");
    for (String text = out.readLine(); text != null; text = out.readLine()) {
      Matcher matcher = line.matcher(text);
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    throw new AssertionError("no port on the standard output");
  }

  private static void create(Configuration conf) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(KEPT)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
    }
  }
}
