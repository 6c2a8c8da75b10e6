/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * One action on a table with indexes, before it or one of its entries is sent. An action that
 * cannot be made says so by itself: those beside it in a batch or a buffer are made.
 *
 * @param write the action with its entries; without any if they depend on the row, or it cannot be
 *     made
 * @param read the read of the row on which the entries depend, by the logical key; null if they do
 *     not, or the row was read
 * @param failure why it cannot be made; null if it can
 */
record PlannedWrite(IndexedWrite write, @Nullable Get read, @Nullable Exception failure) {
  /** An action with its entries, its read, or the reason why it cannot be made. */
  static PlannedWrite of(IndexWrites indexes, Row action) {
    // Also where the row is still to be read, so that what is refused is refused at once.
    PlannedWrite planned = of(indexes, action, Result.EMPTY_RESULT);
    Get read = planned.failure == null ? indexes.read(action) : null;
    return read == null
        ? planned
        : new PlannedWrite(new IndexedWrite(action, List.of()), read, null);
  }

  private static PlannedWrite of(IndexWrites indexes, Row action, Result row) {
    try {
      return ready(indexes.write(action, row));
    } catch (IndexRefusedException | IllegalArgumentException e) {
      return failed(action, e);
    }
  }

  /** An action that can be made. */
  static PlannedWrite ready(IndexedWrite write) {
    return new PlannedWrite(write, null, null);
  }

  private static PlannedWrite failed(Row action, Exception failure) {
    return new PlannedWrite(new IndexedWrite(action, List.of()), null, failure);
  }

  /**
   * Plans this action again by its row.
   *
   * @param answer the {@link Result}, or the {@link Throwable} that the read failed with
   */
  PlannedWrite after(IndexWrites indexes, Object answer) {
    if (answer instanceof Result row) {
      return of(indexes, write.action(), row);
    }
    return failed(
        write.action(),
        answer instanceof Exception failure ? failure : new IOException((Throwable) answer));
  }

  /**
   * The action with its entries.
   *
   * @throws IOException why it cannot be made, unless that is a mistake in the arguments
   * @throws IllegalArgumentException if a value of it does not fit an index
   */
  IndexedWrite orThrow() throws IOException {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (failure != null) {
      throw failure instanceof IOException known ? known : new IOException(failure);
    }
    return write;
  }
}
