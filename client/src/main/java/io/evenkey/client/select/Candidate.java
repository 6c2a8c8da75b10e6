/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.CoveredColumns;
import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.scatter.Narrowing;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.index.IndexOrder;
import io.evenkey.protocol.index.ReadFigures;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A way in which the rows of a selection may be read. Immutable.
 *
 * @param name that of the table or of the index
 * @param index the index; null for the table
 * @param where the condition on its fields; null for all rows, or if it does not have them
 * @param figures what it would cost; null if it cannot be read by the condition
 * @param obstacle why all rows of the selection cannot be read in this way; null if they can
 */
record Candidate(
    String name,
    @Nullable IndexReads index,
    @Nullable Where where,
    @Nullable ReadFigures figures,
    @Nullable String obstacle)
    implements Comparable<Candidate> {
  private static final String OTHER_FIELDS = "its key does not have all fields of the condition";

  static Candidate table(String name, Layout layout, SelectionOptions options) {
    return of(name, null, layout, options);
  }

  static Candidate index(IndexReads index, IndexWrites known, SelectionOptions options) {
    Candidate readable = of(index.name(), index, index.layout(), options);
    Optional<String> first =
        options.scan.hasFilter()
            ? Optional.of("the filter of the selection is for rows of the table")
            : Optional.empty();
    return index.obstacle(known).or(() -> first).map(readable::refused).orElse(readable);
  }

  private static Candidate of(
      String name, @Nullable IndexReads index, Layout layout, SelectionOptions options) {
    Where where;
    try {
      where = options.where(layout);
    } catch (LayoutException e) {
      return new Candidate(name, index, null, null, OTHER_FIELDS);
    }
    try {
      ReadFigures figures = ReadFigures.of(layout, where, readsRows(index, options));
      String obstacle = index == null ? null : index.withoutEntries(where).orElse(null);
      return new Candidate(name, index, where, figures, obstacle);
    } catch (ValueException e) {
      return new Candidate(name, index, where, null, e.getMessage());
    }
  }

  private static boolean readsRows(@Nullable IndexReads index, SelectionOptions options) {
    return index != null && CoveredColumns.of(index.index(), options.scan.getFamilyMap()).isEmpty();
  }

  /** This candidate with the obstacle that rules it out. */
  Candidate refused(String reason) {
    return new Candidate(name, index, where, figures, reason);
  }

  /** Whether the rows are read in the order that they have by the fields of the table. */
  boolean hasOrderOf(Layout table) {
    if (index == null) {
      return true;
    }
    Narrowing narrowing = figures == null ? Narrowing.NONE : figures.narrowing();
    return IndexOrder.isOf(table, index.layout(), narrowing);
  }

  /** The columns that the fields of the condition are taken from, and as what. */
  List<String> conditionColumns() {
    IndexReads read = index;
    if (read == null || where == null) {
      return List.of();
    }
    return read.layout().fields().stream()
        .filter(field -> where.fields().contains(field.name()))
        .flatMap(
            field -> read.index().column(field.name()).map(c -> c + " " + field.type()).stream())
        .sorted()
        .toList();
  }

  /** Whether it is this index. */
  boolean isOf(IndexReads read) {
    return index != null && index.name().equals(read.name());
  }

  /** The order of {@link ReadFigures}; one that cannot be read is last. */
  @Override
  public int compareTo(Candidate other) {
    if (figures == null || other.figures == null) {
      return Boolean.compare(figures == null, other.figures == null);
    }
    return figures.compareTo(other.figures);
  }

  ReadPlan plan(String verdict) {
    return new ReadPlan(name, index != null, figures, verdict);
  }
}
