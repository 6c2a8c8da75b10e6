/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.SyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a selection, bound to the key of the table or to those of its indexes. A field's
 * type decides how its values are read, and one name may stand for fields of different types: so
 * each key that is considered reads the condition by its own fields. Immutable.
 *
 * @param parser reads the condition by the fields of a layout
 * @param table the layout of the table when the condition was set
 * @param onTable the condition as this layout reads it; null if it does not have all fields
 */
record KeyCondition(Function<Layout, Where> parser, Layout table, @Nullable Where onTable) {
  /**
   * Binds a condition.
   *
   * @param indexes those of the table, any of which may have the fields that the table lacks
   * @throws SyntaxException if neither the table nor an index reads it as a condition; this and
   *     what follows say what the table misses
   * @throws UnknownFieldException if neither has a field in it
   */
  static KeyCondition of(Function<Layout, Where> parser, Layout table, List<IndexReads> indexes) {
    try {
      return new KeyCondition(parser, table, parser.apply(table));
    } catch (SyntaxException | UnknownFieldException e) {
      KeyCondition condition = new KeyCondition(parser, table, null);
      if (condition.onFirstOf(indexes) == null) {
        throw e;
      }
      return condition;
    }
  }

  /**
   * The condition on the fields of a layout.
   *
   * @throws LayoutException if it does not have all of them
   */
  Where on(Layout layout) {
    Where known = onTable;
    return known != null && layout.equals(table) ? known : parser.apply(layout);
  }

  /** The condition by the first index that has its fields; null if none has them. */
  @Nullable Where onFirstOf(List<IndexReads> indexes) {
    return indexes.stream()
        .flatMap(index -> ifReadBy(index.layout()).stream())
        .findFirst()
        .orElse(null);
  }

  private Optional<Where> ifReadBy(Layout layout) {
    try {
      return Optional.of(on(layout));
    } catch (LayoutException e) {
      return Optional.empty();
    }
  }
}
