/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.ChangeMark;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Adds marks to mutations, in the same atomic write and with the same durability. What coprocessors
 * that run before the guard have added is kept, and its rows are marked too; what those after it
 * add for other rows is not.
 */
final class ChangeMarks {
  private ChangeMarks() {}

  static void add(MiniBatchOperationInProgress<Mutation> batch, int index, int pass) {
    Mutation mutation = batch.getOperation(index);
    Mutation[] added = batch.getOperationsFromCoprocessors(index);
    int others = added == null ? 0 : added.length;
    Mutation[] all = new Mutation[2 * others + 1];
    int size = 0;
    long now = EnvironmentEdgeManager.currentTime();
    if (added != null) {
      for (Mutation other : added) {
        all[size++] = other;
      }
      for (Mutation other : added) {
        Delete mark =
            Arrays.equals(other.getRow(), mutation.getRow()) ? null : mark(other, pass, now);
        if (mark != null) {
          all[size++] = mark;
        }
      }
    }
    Delete mark = mark(mutation, pass, now);
    if (mark != null) {
      all[size++] = mark;
    }
    if (size > others) {
      batch.addOperationsFromCP(index, size == all.length ? all : Arrays.copyOf(all, size));
    }
  }

  /**
   * Whether the mark of a mutation is there for as long as the region is open by the same rules, so
   * that the row needs no other: it is in the log, so that the death of the server takes it no more
   * than later writes, and does not expire before them.
   */
  static boolean last(Mutation mutation, TableDescriptor table) {
    Durability durability =
        mutation.getDurability() == Durability.USE_DEFAULT
            ? table.getDurability()
            : mutation.getDurability();
    if (durability == Durability.SKIP_WAL || durability == Durability.ASYNC_WAL) {
      return false;
    }
    Iterator<byte[]> families = mutation.getFamilyCellMap().keySet().iterator();
    ColumnFamilyDescriptor family =
        families.hasNext() ? table.getColumnFamily(families.next()) : null;
    return family != null && family.getTimeToLive() == HConstants.FOREVER;
  }

  // Null for a mutation without cells, which changes nothing.
  private static @Nullable Delete mark(Mutation mutation, int pass, long now) {
    Iterator<byte[]> families = mutation.getFamilyCellMap().keySet().iterator();
    return families.hasNext()
        ? new Delete(mutation.getRow()).addColumns(families.next(), ChangeMark.qualifier(pass), now)
        : null;
  }
}
