/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedHBaseIT {
  private static final TableName NUMBERS = TableName.valueOf("numbers");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Tag("ci")
  @Test
  void keepsItsDataAcrossStartsWithOtherNumbersOfServers(@TempDir Path directory) throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(3).start()) {
      assertThat(hbase.servers()).hasSize(3);
      write(hbase.connection(), 1000);
    }
    try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(1).start()) {
      assertThat(hbase.servers()).hasSize(1);
      assertThat(count(hbase.connection())).isEqualTo(1000);
    }
  }

  @Tag("ci")
  @Test
  void refusesADirectoryInUseAndLeavesTheUserOfItAlone(@TempDir Path directory) throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(1).start()) {
      assertThatThrownBy(() -> EmbeddedHBase.in(directory).start())
          .isInstanceOf(EmbeddedHBaseException.class)
          .hasMessageContaining("in use")
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("process=" + ProcessHandle.current().pid());
      write(hbase.connection(), 10);
      assertThat(count(hbase.connection())).isEqualTo(10);
    }
  }

  @Tag("long")
  @Test
  void hasEveryAcknowledgedWriteAfterItsProcessWasKilled(@TempDir Path directory) throws Exception {
    Path output = directory.resolve("output.txt");
    Path data = directory.resolve("data");
    Process process =
        java(HardStop.class, data.toString(), "2", "20000")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).isEqualTo(137);
    assertThat(output).as("a run says nothing on its console").isEmptyFile();
    try (EmbeddedHBase hbase = EmbeddedHBase.in(data).servers(2).start()) {
      assertThat(count(hbase.connection())).isEqualTo(20_000);
    }
  }

  private static ProcessBuilder java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  @Tag("long")
  @Test
  @EnabledOnOs(OS.LINUX)
  void outlastsAPauseOfItsProcess(@TempDir Path directory) throws Exception {
    Process process =
        java(PausedRun.class, directory.resolve("data").toString())
            .redirectError(directory.resolve("errors.txt").toFile())
            .start();
    try (BufferedReader output = process.inputReader();
        Writer input = process.outputWriter()) {
      assertThat(output.readLine()).isEqualTo("written");
      String pause = "kill -STOP $0 && sleep 15 && kill -CONT $0";
      new ProcessBuilder("sh", "-c", pause, Long.toString(process.pid())).start().waitFor();
      input.write('\n');
      input.flush();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it answers at once").isTrue();
      assertThat(output.readLine()).isEqualTo("200 rows, servers 2");
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void listensOnLoopbackOnly(@TempDir Path directory) throws Exception {
    Set<String> before = listeners();
    try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(2).start()) {
      Set<String> ours = listeners();
      ours.removeAll(before);
      String zooKeeperPort = String.format(":%04X", hbase.zooKeeperPort());
      assertThat(ours).anyMatch(address -> address.endsWith(zooKeeperPort));
      // 127.0.0.1, its first byte last.
      assertThat(ours).allMatch(address -> address.startsWith("0100007F:"));
    }
  }

  /** Addresses and ports in hex, of all sockets that listen. */
  private static Set<String> listeners() throws IOException {
    Set<String> addresses = new HashSet<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns[3].equals("0A")) {
          addresses.add(columns[1].replace("0000000000000000FFFF0000", ""));
        }
      }
    }
    return addresses;
  }

  @Test
  void cannotBeUsedOnceItIsStopped(@TempDir Path directory) throws Exception {
    EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(1).start();
    hbase.close();
    hbase.close();
    assertThatThrownBy(hbase::connection)
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("stopped");
    assertThatThrownBy(() -> EmbeddedHBase.in(directory).servers(0))
        .hasMessageContaining("servers=0; expected 1 to 100");
  }

  static void write(Connection connection, int rows) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NUMBERS)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    put(connection, rows);
  }

  static void put(Connection connection, int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, Bytes.toBytes(i)));
    }
    try (Table table = connection.getTable(NUMBERS)) {
      table.put(puts);
    }
  }

  static int count(Connection connection) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(NUMBERS);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }
}
