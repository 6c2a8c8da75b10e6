/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * One action on a table with indexes, before it or one of its entries is sent. An action that
 * cannot be made says so by itself: those beside it in a batch or a buffer are made.
 *
 * @param write the action with its entries; without any if it cannot be made
 * @param failure why it cannot be made; null if it can
 */
record PlannedWrite(IndexedWrite write, @Nullable Exception failure) {
  /**
   * An action with its entries, or with the reason why it has none.
   *
   * @param row the answer to {@link IndexWrites#read}; an empty result if there was nothing to read
   */
  static PlannedWrite of(IndexWrites indexes, Row action, Result row) {
    try {
      return ready(indexes.write(action, row));
    } catch (IndexRefusedException | IllegalArgumentException e) {
      return failed(action, e);
    }
  }

  /** An action that can be made. */
  static PlannedWrite ready(IndexedWrite write) {
    return new PlannedWrite(write, null);
  }

  /** An action that cannot be made. */
  static PlannedWrite failed(Row action, Exception failure) {
    return new PlannedWrite(new IndexedWrite(action, List.of()), failure);
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
