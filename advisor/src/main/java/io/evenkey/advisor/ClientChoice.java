/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.SampledQuery;
import io.evenkey.advisor.query.Query;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.IndexOrder;
import io.evenkey.protocol.index.ReadFigures;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the client reads a selection by, if the application does not name the table or an index. It
 * is the client's own rule: {@link IndexKey#withoutEntries}, {@link IndexOrder} and {@link
 * ReadFigures}. The client knows nothing of the data, so it may choose another way than the one
 * that the advice measured as the cheapest. Immutable.
 */
public final class ClientChoice {
  private final Layout table;
  private final List<ProposedIndex> indexes;
  private final List<IndexKey> keys;

  private ClientChoice(Layout table, List<ProposedIndex> indexes) {
    this.table = table;
    this.indexes = List.copyOf(indexes);
    this.keys = indexes.stream().map(index -> IndexKey.of(table, index.index())).toList();
  }

  /**
   * The choice among a table and indexes.
   *
   * @param indexes in the order in which they are added
   */
  static ClientChoice of(Layout table, List<ProposedIndex> indexes) {
    return new ClientChoice(table, indexes);
  }

  /** The choice among a table and its proposed indexes. */
  public static ClientChoice of(IndexedTable proposed) {
    return new ClientChoice(proposed.table().evaluation().candidate().layout(), proposed.indexes());
  }

  /**
   * The index that the client reads by.
   *
   * @param where the condition of the selection; null for all rows
   * @param anyOrder whether the rows may come in any order
   * @return empty for the table
   */
  public Optional<ProposedIndex> of(@Nullable String where, boolean anyOrder) {
    ProposedIndex chosen = null;
    Read least = Read.of(table, where, null);
    boolean inOrder = !anyOrder && least != null;
    for (int i = 0; i < keys.size(); i++) {
      IndexKey key = keys.get(i);
      Read next = Read.of(key.index().layout(), where, key);
      if (next != null
          && (!inOrder || IndexOrder.isOf(table, next.layout, next.figures.narrowing()))
          && (least == null || next.figures.compareTo(least.figures) < 0)) {
        least = next;
        chosen = indexes.get(i);
      }
    }
    return Optional.ofNullable(chosen);
  }

  private record Read(Layout layout, ReadFigures figures) {
    /** Null if rows that meet the condition cannot all be read by these keys. */
    static @Nullable Read of(Layout layout, @Nullable String where, @Nullable IndexKey index) {
      try {
        Where condition = where == null ? null : layout.where(where);
        return index != null && index.withoutEntries(condition).isPresent()
            ? null
            : new Read(layout, ReadFigures.of(layout, condition, index != null));
      } catch (LayoutException e) {
        // It does not have all fields, or a field cannot hold a value.
        return null;
      }
    }
  }

  /**
   * What the application has to name so that a query is read in one way.
   *
   * @param used the index that it is to be read by; null for the table
   * @param instances the number of instances of the query that are looked at
   */
  Naming naming(@Nullable ProposedIndex used, SampledQuery asked, int instances) {
    List<SampledQuery.Instance> some = asked.instances().subList(0, instances);
    if (isChosen(used, some, false)) {
      return Naming.NOTHING;
    }
    boolean mayBeAny = asked.query().order() == Query.Order.ANY;
    return mayBeAny && isChosen(used, some, true) ? Naming.ANY_ORDER : Naming.NAME;
  }

  private boolean isChosen(
      @Nullable ProposedIndex used, List<SampledQuery.Instance> instances, boolean anyOrder) {
    Layout layout = used == null ? table : used.evaluation().candidate().layout();
    return instances.stream()
        .map(instance -> of(Evaluation.where(layout, instance), anyOrder))
        .allMatch(Optional.ofNullable(used)::equals);
  }
}
