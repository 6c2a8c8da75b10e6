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
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of rows before the rows: a row is written when the servers have acknowledged
 * all its entries. Costs one check for null on a table without indexes. Thread-safe.
 */
final class EntryWriter {
  private final EntryTables tables;

  EntryWriter(EntryTables tables) {
    this.tables = tables;
  }

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
   * @param stored HBase's table of the generation that is written
   * @throws io.evenkey.client.failure.IndexRefusedException if it could leave a row without its
   *     entry
   */
  @SuppressWarnings("unchecked") // a copy is of the same type
  <A extends Row> Ready<A> before(Table stored, RowMapping rows, A action) throws IOException {
    IndexWrites indexes = rows.indexes();
    if (indexes == null) {
      return new Ready<>(rows, action);
    }
    // What HBase refuses at once gets no entries.
    PutCheck.check(action, PutCheck.mostBytes(stored.getConfiguration()));
    IndexedWrite write = writes(indexes, List.of(action), gets -> read(stored, rows, gets)).get(0);
    for (EntryPut entry : write.entries()) {
      try (Table table = tables.open(entry.index())) {
        table.put(entry.put());
      } catch (IOException e) {
        throw IndexRefusedException.entryFailed(entry.index(), e);
      }
    }
    return new Ready<>(rows.afterEntries(), (A) write.action());
  }

  /** Reads rows by their logical keys. */
  static Result[] read(Table stored, RowMapping rows, List<Get> gets) throws IOException {
    return stored.get(rows.physical(gets));
  }

  /**
   * The actions with their entries.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if one could leave a row without its
   *     entry
   */
  static List<IndexedWrite> writes(IndexWrites indexes, List<? extends Row> actions, RowReads reads)
      throws IOException {
    PendingWrites pending = new PendingWrites(indexes, actions);
    List<Get> gets = pending.gets();
    return pending.writes(gets.isEmpty() ? List.of() : List.of(reads.read(gets)));
  }

  /**
   * Writes the entries of several actions.
   *
   * @return for each action null, or why one of its entries is not known to be written
   */
  @Nullable Throwable[] write(List<IndexedWrite> writes) throws IOException {
    @Nullable Throwable[] failures = new Throwable[writes.size()];
    for (IndexPuts of : IndexPuts.of(writes)) {
      Object[] results = results(of.index(), of.puts());
      for (int i = 0; i < results.length; i++) {
        if (results[i] instanceof Throwable failed) {
          failures[of.actions().get(i)] = IndexRefusedException.entryFailed(of.index(), failed);
        }
      }
    }
    return failures;
  }

  private Object[] results(TableName index, List<Put> puts) throws IOException {
    Object[] results = new Object[puts.size()];
    try (Table table = tables.open(index)) {
      table.batch(puts, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      // What has no result was not acknowledged.
      for (int i = 0; i < results.length; i++) {
        results[i] = results[i] == null ? e : results[i];
      }
    } catch (TableNotFoundException | TableNotEnabledException e) {
      Arrays.fill(results, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while entries were written").initCause(e);
    }
    return results;
  }
}
