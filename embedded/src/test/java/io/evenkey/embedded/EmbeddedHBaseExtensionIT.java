/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class EmbeddedHBaseExtensionIT {
  @Test
  void givesOneInstanceToAllWhoAsk(EmbeddedHBase hbase, EmbeddedHBase again, Connection connection)
      throws IOException {
    assertThat(again).isSameAs(hbase);
    assertThat(connection).isSameAs(hbase.connection());
    try (Admin admin = connection.getAdmin()) {
      assertThat(admin.getRegionServers()).hasSize(3);
    }
  }

  @Nested
  class Inside {
    @Test
    void nestedClassesShareIt(EmbeddedHBase hbase) {
      assertThat(hbase.servers()).hasSize(3);
      assertThat(hbase.logFile()).isNotEmptyFile();
    }
  }
}
