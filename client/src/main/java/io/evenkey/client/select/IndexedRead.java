/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.index.IndexReads;
import io.evenkey.client.index.IndexRefusedException;
import io.evenkey.client.route.Route;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * A read through an index: which entries, and what of their rows. Immutable.
 *
 * @param form that of the {@link ReadCursor cursors}
 * @param all the entries
 * @param columns what of the rows is returned
 * @param fields the fields of the index whose values the rows have
 */
record IndexedRead(
    IndexReads index,
    String form,
    IndexSource source,
    Selection all,
    WantedColumns columns,
    List<Field> fields) {
  /** The largest number of entries whose rows are read together. */
  static final int BATCH = 100;

  /** The number of entries to read at first for a number of rows: some may be without one. */
  static int entriesFor(int rows) {
    return (int) Math.min(Integer.MAX_VALUE, rows + rows / 8L + 4);
  }

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

  /** Begins to read the rows of entries; each is empty if it is not there. */
  CompletableFuture<Result[]> rows(Route route, List<KeyedRow> entries) {
    List<Get> gets = new ArrayList<>(entries.size());
    for (KeyedRow entry : entries) {
      gets.add(columns.read(index.get(entry.key()), index.index().columns()));
    }
    return route.later(
        generation -> {
          index.check(generation.rows().indexes());
          return source.rows(generation, gets);
        });
  }

  /** Asks whether the index may still be read; complete when it may. */
  CompletableFuture<?> confirm(Route route) {
    return route.later(
        generation -> {
          index.check(generation.rows().indexes());
          return source.confirm(generation).thenApply(answer -> Boolean.TRUE);
        });
  }

  /** The row of an entry; null if it has other values, or none of the columns. */
  @Nullable KeyedRow row(KeyedRow entry, Result stored) {
    if (!index.matches(entry.key(), stored)) {
      return null;
    }
    Result row = columns.of(stored);
    return row.isEmpty()
        ? null
        : new KeyedRow(values(entry), row, ReadCursor.of(index, form, entry.key()));
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
