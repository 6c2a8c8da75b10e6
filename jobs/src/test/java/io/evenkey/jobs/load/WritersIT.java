/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.Tables;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class WritersIT {
  @Test
  void anErrorOfOneThreadFailsTheLoad(Connection connection) throws Exception {
    Checkpoint start = new Checkpoint(Checkpoint.FORMAT, "t", "", List.of(), "", 0, 0);
    Checkpoint end = new Checkpoint(Checkpoint.FORMAT, "t", "", List.of(), "", 0, 1);
    Put row =
        new Put(Bytes.toBytes("a")) {
          @Override
          public byte[] getRow() {
            throw new StackOverflowError("of a writer");
          }
        };
    row.addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes("v"));
    try (SpreadTables tables = SpreadTables.on(connection)) {
      SpreadTable table = Tables.create(connection, tables, "writers", "salt(4) + key:string");
      try (Writers writers =
          new Writers(
              connection,
              table.name(),
              table.layout(),
              1,
              LoadSkew.of(connection, table.name(), table.layout()),
              start)) {
        writers.submit(List.of(List.of(row)), end);
        assertThatThrownBy(writers::finish)
            .isInstanceOf(IOException.class)
            .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(writers.done()).isEqualTo(start);
      }
    }
  }
}
