package io.evenkey.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedHBaseIT {
  private static final TableName NUMBERS = TableName.valueOf("numbers");
  private static final byte[] FAMILY = Bytes.toBytes("f");

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

  static void write(Connection connection, int rows) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NUMBERS)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
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
