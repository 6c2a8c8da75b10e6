/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.index.IndexProtocol;
import io.evenkey.layout.index.TableIndexes;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a table, as a client knows them that writes rows: which entries have to be there
 * before a write is made, and which writes are refused because a row could then be without its
 * entry. Protocol <em>events</em> only; rows are logical keys. Immutable and thread-safe.
 */
public final class IndexWrites {
  private final TableName table;
  private final TableIndexes indexes;
  private final boolean guarded;
  private final List<WrittenIndex> written;

  private IndexWrites(TableName table, Layout layout, TableIndexes indexes, boolean guarded) {
    this.table = table;
    this.indexes = indexes;
    this.guarded = guarded;
    this.written =
        indexes.list().stream().map(index -> WrittenIndex.of(table, layout, index)).toList();
  }

  /**
   * The indexes of a table.
   *
   * @param table the table that the application names
   * @param layout the layout of its rows
   * @param indexes its indexes, at least one
   * @param guarded whether region servers refuse writes of clients that do not know them
   * @throws io.evenkey.layout.index.IndexException if one does not fit the table
   */
  public static IndexWrites of(
      TableName table, Layout layout, TableIndexes indexes, boolean guarded) {
    return new IndexWrites(table, layout, indexes, guarded);
  }

  /** The indexes. */
  public TableIndexes indexes() {
    return indexes;
  }

  /** Whether region servers refuse requests of clients that do not know them. */
  boolean isGuarded() {
    return guarded;
  }

  /**
   * The entries that have to be written before an action on the table is made, each by a put that
   * is made once: it has a nonce of its own. None for an action that writes no indexed column.
   *
   * @param action with the logical key as its row
   * @throws IndexRefusedException if the action could leave a row without its entry
   * @throws io.evenkey.layout.text.LayoutException if an indexed column has no value of its field
   */
  public List<EntryPut> entries(Row action) throws IndexRefusedException {
    if (action instanceof Put put) {
      checkKept();
      return entries(put);
    }
    checkOthers(action);
    return List.of();
  }

  private List<EntryPut> entries(Put put) throws IndexRefusedException {
    List<EntryPut> entries = new ArrayList<>(written.size());
    for (WrittenIndex index : written) {
      @Nullable EntryPut entry = index.entry(put);
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
  }

  // Deletions leave entries, which are not seen without their rows.
  private void checkOthers(Row action) throws IndexRefusedException {
    if (action instanceof CheckAndMutate check) {
      checkOthers(check.getAction());
    } else if (action instanceof RowMutations several) {
      for (Mutation mutation : several.getMutations()) {
        checkOthers(mutation);
      }
    } else if (action instanceof Put || action instanceof Append || action instanceof Increment) {
      checkKept();
      for (WrittenIndex index : written) {
        index.checkApart((Mutation) action);
      }
    }
  }

  private void checkKept() throws IndexRefusedException {
    if (!guarded) {
      throw IndexRefusedException.asKnown(
          table,
          "write to a table with indexes whose region servers have no guard",
          "indexes=" + names(),
          "clients that do not know the indexes would write to it too: install the guard on all"
              + " region servers, evenkey server status");
    }
    for (WrittenIndex index : written) {
      if (index.protocol() == IndexProtocol.MUTABLE) {
        throw IndexRefusedException.asKnown(
            table,
            "write to a table with an index of mutable rows, which this version does not write",
            "index=" + index.name(),
            "use the version of Evenkey that added the index, or drop it");
      }
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
        "write to a table with indexes that leaves their entries as they are",
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
