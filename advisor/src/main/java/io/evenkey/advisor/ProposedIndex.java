/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.ColumnForm;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexException;
import io.evenkey.protocol.index.IndexFit;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An index that a table could have. Its columns are those of family {@value #FAMILY} with the names
 * of the sample's columns, as {@code evenkey import} writes them. Immutable.
 *
 * @param index the index as an operator would add it: without the rest of the table's key
 * @param evaluation the figures of its entries, whose keys have the rest of the table's key
 */
public record ProposedIndex(TableIndex index, Evaluation evaluation) {
  /** The family that its columns are taken from. */
  public static final String FAMILY = "d";

  private static final int NAMED = 2;

  /** An index before it is measured. */
  record Fitted(TableIndex index, Layout entries) {}

  /**
   * The index of a layout for a table.
   *
   * @return empty if the table cannot have it
   */
  static Optional<Fitted> fit(Layout table, Layout layout) {
    List<IndexColumn> columns = new ArrayList<>();
    for (Field field : layout.fields()) {
      if (table.key().indexOf(field.name()) < 0) {
        columns.add(
            new IndexColumn(field.name(), new ColumnName(FAMILY, field.name()), ColumnForm.TEXT));
      }
    }
    try {
      TableIndex index =
          TableIndex.of(name(layout), IndexProtocol.EVENTS, layout, columns, List.of());
      return Optional.of(new Fitted(index, IndexFit.complete(table, index).layout()));
    } catch (IndexException e) {
      return Optional.empty();
    }
  }

  private static String name(Layout layout) {
    return "by_"
        + layout.fields().stream()
            .limit(NAMED)
            .map(field -> field.name().replaceAll("[^A-Za-z0-9_]", "_"))
            .collect(Collectors.joining("_"));
  }
}
