/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.Tables;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class TableRemovalIT {
  private static final int REGIONS = 12;

  private final Connection plain;
  private final TableName name;
  private final TableDescriptor table;

  TableRemovalIT(Connection plain, TestInfo test) {
    this.plain = plain;
    this.name = Tables.nameOf(test);
    this.table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .build();
  }

  @Test
  void aTableThatTheMasterStillCreatesIsRemoved() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      Future<Void> unused =
          admin.createTableAsync(table, Bytes.split(new byte[] {1}, new byte[] {100}, REGIONS - 3));
      await().atMost(Duration.ofMinutes(1)).until(() -> admin.tableExists(name));
      TableRemoval.remove(admin, name);
      assertThat(admin.tableExists(name)).isFalse();
    }
  }

  @Test
  void aDisabledTableIsRemoved() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(table);
      admin.disableTable(name);
      TableRemoval.remove(admin, name);
      assertThat(admin.tableExists(name)).isFalse();
    }
  }
}
