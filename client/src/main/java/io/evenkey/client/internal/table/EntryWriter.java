/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.EntryPut;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of rows before the rows: a row is written when the servers have acknowledged
 * all its entries. Costs one check for null on a table without indexes. Stateless.
 */
final class EntryWriter {
  private EntryWriter() {}

  /**
   * An action whose entries are written.
   *
   * @param rows the mapping by which it may be made
   * @param action the caller's, or a copy with what region servers have to check
   */
  record Ready<A extends Row>(RowMapping rows, A action) {}

  /**
   * Writes the entries of one action.
   *
   * @param tables of the generation that is written
   * @throws io.evenkey.client.failure.IndexRefusedException if it could leave a row without its
   *     entry
   */
  @SuppressWarnings("unchecked") // a copy is of the same type
  static <A extends Row> Ready<A> before(
      OperationTables tables, Configuration configuration, RowMapping rows, A action)
      throws IOException {
    IndexWrites indexes = rows.indexes();
    if (indexes == null) {
      return new Ready<>(rows, action);
    }
    // What HBase refuses at once gets no entries.
    PutCheck.check(action, PutCheck.mostBytes(configuration));
    IndexedWrite write =
        PlannedWrites.of(indexes, List.of(action))
            .read(gets -> read(tables.stored(), rows.physical(gets)))
            .get(0)
            .orThrow();
    for (EntryPut entry : write.entries()) {
      try (Table table = tables.entries(entry.index())) {
        table.put(entry.put());
      } catch (IOException e) {
        throw IndexRefusedException.entryFailed(entry.index(), e);
      }
    }
    return new Ready<>(rows.afterEntries(), (A) write.action());
  }

  /**
   * Reads rows.
   *
   * @param gets of physical rows
   * @return for each its {@link Result}, or the {@link Throwable} that it failed with
   */
  static Object[] read(Table stored, List<Get> gets) throws IOException {
    return gets.size() == 1 ? new Object[] {stored.get(gets.get(0))} : batch(stored, gets);
  }

  /**
   * Writes the entries of several actions.
   *
   * @return for each action null, or why it cannot be made: one of its entries is not known to be
   *     written, or it has none for a reason
   * @throws InterruptedIOException if the caller is interrupted
   */
  static @Nullable Throwable[] write(OperationTables tables, List<PlannedWrite> writes)
      throws InterruptedIOException {
    @Nullable Throwable[] failures = new Throwable[writes.size()];
    for (int i = 0; i < failures.length; i++) {
      failures[i] = writes.get(i).failure();
    }
    for (IndexPuts of : IndexPuts.of(writes)) {
      Object[] results = results(tables, of.index(), of.puts());
      for (int i = 0; i < results.length; i++) {
        if (results[i] instanceof Throwable failed) {
          failures[of.actions().get(i)] = IndexRefusedException.entryFailed(of.index(), failed);
        }
      }
    }
    return failures;
  }

  private static Object[] results(OperationTables tables, TableName index, List<Put> puts)
      throws InterruptedIOException {
    Object[] results = new Object[puts.size()];
    try (Table table = tables.entries(index)) {
      return batch(table, puts);
    } catch (IllegalArgumentException e) {
      // As of HBase's client, which cannot find the region of a row of nearly the longest length:
      // it does not say which one it is.
      int half = puts.size() / 2;
      if (half == 0) {
        return new Object[] {e};
      }
      System.arraycopy(results(tables, index, puts.subList(0, half)), 0, results, 0, half);
      List<Put> rest = puts.subList(half, puts.size());
      System.arraycopy(results(tables, index, rest), 0, results, half, rest.size());
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      Arrays.fill(results, e);
    }
    return results;
  }

  private static Object[] batch(Table table, List<? extends Row> actions) throws IOException {
    Object[] results = new Object[actions.size()];
    try {
      table.batch(actions, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      // What has no result was not acknowledged.
      for (int i = 0; i < results.length; i++) {
        results[i] = results[i] == null ? e : results[i];
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while a row or its entries were written")
              .initCause(e);
    }
    return results;
  }
}
