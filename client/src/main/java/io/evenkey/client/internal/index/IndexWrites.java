/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.index.KeptColumns;
import io.evenkey.protocol.index.TableIndexes;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a table, as a client knows them that writes rows: which entries have to be there
 * before a write is made, and which writes are refused because a row could then be without its
 * entry. Rows are logical keys. Immutable and thread-safe.
 */
public final class IndexWrites {
  private final TableName table;
  private final TableIndexes indexes;
  private final boolean guarded;
  private final boolean mutable;
  private final List<IndexReads> reads;
  private final List<WrittenIndex> written;

  private IndexWrites(TableName table, Layout layout, TableIndexes indexes, boolean guarded) {
    this.table = table;
    this.indexes = indexes;
    this.guarded = guarded;
    this.reads = indexes.list().stream().map(index -> IndexReads.of(table, layout, index)).toList();
    this.written = reads.stream().map(read -> WrittenIndex.of(table, read.key())).toList();
    this.mutable = indexes.list().stream().anyMatch(index -> index.protocol().changesRows());
  }

  /**
   * The indexes of a table.
   *
   * @param table the table that the application names
   * @param layout the layout of its rows
   * @param indexes its indexes, at least one
   * @param guarded whether region servers refuse writes of clients that do not know them
   * @throws io.evenkey.protocol.index.IndexException if one does not fit the table
   */
  public static IndexWrites of(
      TableName table, Layout layout, TableIndexes indexes, boolean guarded) {
    return new IndexWrites(table, layout, indexes, guarded);
  }

  /** The indexes. */
  public TableIndexes indexes() {
    return indexes;
  }

  /** The indexes as rows are read through them; some may not be read now. */
  public List<IndexReads> reads() {
    return reads;
  }

  /** Whether region servers refuse requests of clients that do not know them. */
  boolean isGuarded() {
    return guarded;
  }

  /** Whether rows of an index may change, so that one write of a row can be refused for another. */
  public boolean hasMutable() {
    return mutable;
  }

  /**
   * The columns of the row that have to be read before an action is made, because it changes others
   * of an index of mutable rows.
   *
   * @param action with the logical key as its row
   * @return null if none have to be
   */
  public @Nullable Get read(Row action) {
    Put put = mutable ? put(action) : null;
    Get get = null;
    if (put != null) {
      for (WrittenIndex index : written) {
        for (StoredColumn column : index.leftBy(put)) {
          get = get == null ? RequestSettings.readFor(put) : get;
          get.addColumn(column.family(), column.qualifier());
        }
      }
    }
    return get;
  }

  private static @Nullable Put put(Row action) {
    Row made = action instanceof CheckAndMutate check ? check.getAction() : action;
    return made instanceof Put put ? put : null;
  }

  /**
   * Plans an action with the entries that have to be written before it; none for an action that
   * writes no indexed column.
   *
   * @param action with the logical key as its row
   * @param row the answer to {@link #read}; an empty result if there was nothing to read
   * @throws IndexRefusedException if the action could leave a row without its entry
   * @throws IllegalArgumentException if an indexed column has no value of its field, as a {@link
   *     io.evenkey.layout.text.LayoutException}; or if the entry would be longer than HBase allows
   */
  public IndexedWrite write(Row action, Result row) throws IndexRefusedException {
    Put put = put(action);
    if (put == null) {
      checkOthers(action);
      return new IndexedWrite(action, List.of());
    }
    checkGuarded();
    List<EntryPut> entries = new ArrayList<>(written.size());
    List<KeptColumns.Kept> kept = new ArrayList<>();
    boolean timed = false;
    for (WrittenIndex index : written) {
      if (action != put && !index.takesConditionalPuts()) {
        index.checkApart(put);
        continue;
      }
      EntryPut entry = index.entry(put, row);
      if (entry != null) {
        entries.add(entry);
      }
      for (StoredColumn column : index.leftBy(put)) {
        kept.add(column.kept(row));
      }
      timed |= index.time(put) != HConstants.LATEST_TIMESTAMP;
    }
    boolean checked = timed || !kept.isEmpty();
    return new IndexedWrite(checked ? checked(action, put, kept, timed) : action, entries);
  }

  /** A copy that says what region servers have to check. */
  private static Row checked(Row action, Put put, List<KeptColumns.Kept> kept, boolean timed) {
    // HBase's own copy is without the durability.
    Put copy = RequestSettings.copy(put, new Put(put));
    if (!kept.isEmpty()) {
      copy.setAttribute(GuardAttributes.KEPT, new KeptColumns(kept).toBytes());
    }
    if (timed) {
      copy.setAttribute(GuardAttributes.TIMED, new byte[0]);
    }
    return action instanceof CheckAndMutate check
        ? RequestSettings.check(check, check.getRow(), check.getFilter(), copy)
        : copy;
  }

  // Deletions leave entries, which are not seen without their rows.
  private void checkOthers(Row action) throws IndexRefusedException {
    if (action instanceof CheckAndMutate check) {
      checkOthers(check.getAction());
    } else if (action instanceof RowMutations several) {
      for (Mutation mutation : several.getMutations()) {
        checkOthers(mutation);
      }
    } else if (action instanceof Delete delete) {
      for (WrittenIndex index : written) {
        index.checkDeletion(delete);
      }
    } else if (action instanceof Put || action instanceof Append || action instanceof Increment) {
      checkGuarded();
      for (WrittenIndex index : written) {
        index.checkApart((Mutation) action);
      }
    }
  }

  private void checkGuarded() throws IndexRefusedException {
    if (!guarded) {
      throw IndexRefusedException.asKnown(
          table,
          "write to a table with indexes whose region servers have no guard",
          "indexes=" + names(),
          "clients that do not know the indexes could write to it: "
              + Remedy.INSTALL_GUARD
              + " on all region servers");
    }
  }

  /**
   * The refusal of a write that goes past the indexes.
   *
   * @param operation such as {@code Put}
   */
  public IndexRefusedException pastIndexes(String operation) {
    return IndexRefusedException.asKnown(
        table,
        "write to a table with indexes that would not update their entries",
        "operation=" + operation + " indexes=" + names(),
        "write by a table or a buffered mutator of Evenkey's client");
  }

  private String names() {
    return String.join(",", indexes.names());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexWrites that
        && table.equals(that.table)
        && indexes.equals(that.indexes)
        && guarded == that.guarded;
  }

  @Override
  public int hashCode() {
    return indexes.hashCode();
  }

  @Override
  public String toString() {
    return table + " " + indexes;
  }
}
