/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.index.CoveredColumns;
import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.client.internal.route.Route;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * A read through an index: which entries, and what of their rows. Immutable.
 *
 * @param form that of the {@link ReadCursor cursors}
 * @param all the entries
 * @param asked whose settings the reads of rows have
 * @param columns what of the rows is returned
 * @param covered the same columns, if settled entries have them; null if rows are read for all
 * @param fields the fields of the index whose values the rows have
 */
record IndexedRead(
    IndexReads index,
    String form,
    IndexSource source,
    Selection all,
    Scan asked,
    WantedColumns columns,
    @Nullable CoveredColumns covered,
    List<Field> fields) {
  private static final byte[] ANY_ROW = {0};

  /**
   * The entries.
   *
   * @param after the key of the entry behind which they begin, or null for the first ones
   * @param limit the largest number; 0 for all
   */
  Selection entries(byte @Nullable [] after, int limit) {
    Selection rest = after == null ? all : all.after(after);
    return limit == 0 ? rest : rest.limit(limit);
  }

  /** Why entries could not be read. */
  IOException failed(IOException failure) {
    return IndexRefusedException.entryFailed(index.entries(), failure);
  }

  /**
   * Begins to read the rows of entries, and fails if the index was dropped before: region servers
   * answer a request that names the version of the indexes, which is a request of its own if no row
   * is needed.
   *
   * @param entries which have been read; none at the end of a read
   * @return the rows in the same order: null where none is needed, empty where there is none
   */
  CompletableFuture<@Nullable Result[]> rows(Route route, List<KeyedRow> entries) {
    List<Get> gets = new ArrayList<>(entries.size());
    for (KeyedRow entry : entries) {
      if (settled(entry) == null) {
        Get get = RequestSettings.get(asked, index.row(entry.key()));
        gets.add(columns.read(get, index.index().columns()));
      }
    }
    if (gets.isEmpty()) {
      return Futures.map(confirm(route), answer -> new @Nullable Result[entries.size()]);
    }
    CompletableFuture<Result[]> read =
        route.later(
            generation -> {
              index.check(generation.rows().indexes());
              return source.rows(generation, gets);
            });
    return gets.size() == entries.size() ? read : Futures.map(read, rows -> placed(entries, rows));
  }

  private @Nullable Result[] placed(List<KeyedRow> entries, Result[] read) {
    @Nullable Result[] rows = new @Nullable Result[entries.size()];
    int next = 0;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = settled(entries.get(i)) == null ? read[next++] : null;
    }
    return rows;
  }

  private @Nullable Cell settled(KeyedRow entry) {
    return covered == null ? null : covered.settled(entry.result());
  }

  /** Asks whether the index may still be read; complete when it may. */
  CompletableFuture<?> confirm(Route route) {
    return route.later(
        generation -> {
          index.check(generation.rows().indexes());
          Get get = RequestSettings.get(asked, ANY_ROW).setCheckExistenceOnly(true);
          return Futures.map(source.confirm(generation, get), answer -> Boolean.TRUE);
        });
  }

  /**
   * The rows of those entries that have the values of their rows, and any of the columns.
   *
   * @param stored as {@link #rows} has read them
   */
  List<KeyedRow> found(List<KeyedRow> entries, @Nullable Result[] stored) {
    List<KeyedRow> found = new ArrayList<>(stored.length);
    for (int i = 0; i < stored.length; i++) {
      KeyedRow row = row(entries.get(i), stored[i]);
      if (row != null) {
        found.add(row);
      }
    }
    return found;
  }

  private @Nullable KeyedRow row(KeyedRow entry, @Nullable Result stored) {
    Result row = stored == null ? covered(entry) : compared(entry, stored);
    return row.isEmpty()
        ? null
        : new KeyedRow(values(entry), row, ReadCursor.of(index, form, entry.key()));
  }

  private Result compared(KeyedRow entry, Result stored) {
    return index.matches(entry.key(), stored) ? columns.of(stored) : Result.EMPTY_RESULT;
  }

  private Result covered(KeyedRow entry) {
    return Objects.requireNonNull(covered, "rows are read")
        .row(index.row(entry.key()), Objects.requireNonNull(settled(entry), "entry is settled"));
  }

  private Values values(KeyedRow entry) {
    if (fields.equals(index.layout().fields())) {
      return entry.values();
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Field field : fields) {
      values.put(field.name(), entry.values().get(field.name()));
    }
    return Values.of(values);
  }
}
