package io.evenkey.client.table;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * What HBase's client refuses at once in a put: for calls that are put off, so that such a mistake
 * is still told to whoever makes it. Stateless.
 */
final class PutCheck {
  private PutCheck() {}

  /**
   * Lets an action pass.
   *
   * @throws IllegalArgumentException if a put in it has no columns, or a cell that is larger than
   *     the client may send
   */
  static void check(Row action, Configuration configuration) {
    int most =
        configuration.getInt(
            ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY,
            ConnectionConfiguration.MAX_KEYVALUE_SIZE_DEFAULT);
    if (action instanceof Put put) {
      check(put, most);
    } else if (action instanceof RowMutations mutations) {
      mutations.getMutations().forEach(mutation -> check((Row) mutation, configuration));
    } else if (action instanceof CheckAndMutate check) {
      check(check.getAction(), configuration);
    }
  }

  private static void check(Put put, int mostBytes) {
    if (put.isEmpty()) {
      throw new IllegalArgumentException("No columns to insert");
    }
    for (List<Cell> family : put.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        if (mostBytes > 0 && cell.getSerializedSize() > mostBytes) {
          throw new IllegalArgumentException("KeyValue size too large");
        }
      }
    }
  }
}
