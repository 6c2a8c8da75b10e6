/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.index.IndexReads;
import io.evenkey.client.index.IndexRefusedException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.index.IndexColumn;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the table or of an index, as it is chosen. The client may learn only from the first
 * request that the index may not be read any more. While no row has been returned, another choice
 * is made then; afterwards the read fails. Not thread-safe.
 */
final class ChosenRows implements RowSource {
  private final Selection selection;
  private final Set<String> failed = new HashSet<>();
  private Chosen chosen;
  private RowSource rows;
  private boolean begun;

  private ChosenRows(Selection selection) throws IOException {
    this.selection = selection;
    this.chosen = selection.choose(failed);
    this.rows = opened();
  }

  static RowSource open(Selection selection) throws IOException {
    return new ChosenRows(selection);
  }

  private RowSource opened() throws IOException {
    for (; ; ) {
      try {
        return selection.open(chosen);
      } catch (IOException e) {
        chosen = another(e);
      }
    }
  }

  @Override
  public @Nullable KeyedRow next() throws IOException {
    for (; ; ) {
      try {
        KeyedRow row = rows.next();
        begun = true;
        return row;
      } catch (IOException e) {
        chosen = another(e);
        rows.close();
        rows = opened();
      }
    }
  }

  private Chosen another(IOException failure) throws IOException {
    IndexReads index = chosen.index();
    if (index == null || begun || !selection.isFree() || !isRefused(failure)) {
      throw failure;
    }
    failed.add(index.name());
    try {
      return selection.choose(failed);
    } catch (IndexRefusedException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private static boolean isRefused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IndexRefusedException) {
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable ReadCursor cursor() {
    return rows.cursor();
  }

  @Override
  public List<Field> fields() {
    return rows.fields();
  }

  @Override
  public List<IndexColumn> columns() {
    return rows.columns();
  }

  @Override
  public @Nullable ScanMetrics metrics() {
    return rows.metrics();
  }

  @Override
  public void close() {
    rows.close();
  }
}
