/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.RowRepairs;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.io.NullWritable;
import org.jspecify.annotations.Nullable;

/** Rows written under their new keys, one after the other. */
final class PutMapper extends RateLimitedMapper<NullWritable, NullWritable> {
  private @Nullable Connection connection;
  private @Nullable BufferedMutator target;
  private byte[] turn = new byte[0];
  private List<UUID> peers = List.of();

  @Override
  protected void setup(Context context) throws IOException {
    super.setup(context);
    turn = GuardAttributes.number(context.getConfiguration().getInt(TURN, 0));
    peers =
        Arrays.stream(context.getConfiguration().getTrimmedStrings(Copy.PEERS))
            .map(UUID::fromString)
            .toList();
    connection = ConnectionFactory.createConnection(context.getConfiguration());
    target =
        connection.getBufferedMutator(
            TableName.valueOf(context.getConfiguration().get(Copy.TARGET, "")));
  }

  @Override
  void copy(byte[] row, Result result, List<Cell> old, Context context) throws IOException {
    if (target == null) {
      throw new IllegalStateException("not set up");
    }
    Put put = new Put(row);
    Delete delete = new Delete(row);
    for (Cell cell : result.rawCells()) {
      if (RowRepairs.isMark(cell)) {
        continue;
      }
      Cell migrated = RowRewriter.cell(row, cell);
      if (cell.getType() == Cell.Type.Put) {
        put.add(migrated);
      } else {
        delete.add(migrated);
      }
    }
    List<Mutation> mutations = new ArrayList<>(3);
    if (!put.isEmpty()) {
      mutations.add(put);
    }
    if (!delete.isEmpty()) {
      mutations.add(delete);
    }
    // The row is at its new place before it is gone from the old one.
    if (!old.isEmpty()) {
      Delete gone = new Delete(CellUtil.cloneRow(old.get(0)));
      for (Cell tombstone : old) {
        gone.add(tombstone);
      }
      mutations.add(gone);
    }
    mutations.forEach(
        mutation ->
            GenerationSide.notReplicated(mutation, peers)
                .setAttribute(GuardAttributes.MIGRATION, turn));
    target.mutate(mutations);
  }

  @Override
  void abandon() {
    target = null;
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    super.cleanup(context);
    if (target != null) {
      target.close();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
