/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.table;

import io.evenkey.client.index.EntryPut;
import io.evenkey.client.index.IndexRefusedException;
import io.evenkey.client.index.IndexWrites;
import io.evenkey.client.row.RowMapping;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
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
   * Writes the entries of one action.
   *
   * @return the mapping by which the action may be made
   * @throws io.evenkey.client.index.IndexRefusedException if it could leave a row without its entry
   */
  RowMapping before(RowMapping rows, Row action) throws IOException {
    IndexWrites indexes = rows.indexes();
    if (indexes == null) {
      return rows;
    }
    for (EntryPut entry : indexes.entries(action)) {
      try (Table table = tables.open(entry.index())) {
        table.put(entry.put());
      } catch (IOException e) {
        throw IndexRefusedException.entryFailed(entry.index(), e);
      }
    }
    return rows.afterEntries();
  }

  /**
   * Writes the entries of several actions.
   *
   * @param entries those of each action
   * @return for each action null, or why one of its entries is not known to be written
   */
  @Nullable Throwable[] write(List<List<EntryPut>> entries) throws IOException {
    @Nullable Throwable[] failures = new Throwable[entries.size()];
    for (IndexPuts of : IndexPuts.of(entries)) {
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
