/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.index.IndexReads;
import io.evenkey.client.index.IndexWrites;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.scatter.Narrowing;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way in which the rows of a selection may be read. Immutable.
 *
 * @param name that of the table or of the index
 * @param index the index; null for the table
 * @param figures what it would cost; null if it cannot be read by the condition
 * @param obstacle why all rows of the selection cannot be read in this way; null if they can
 */
record Candidate(
    String name,
    @Nullable IndexReads index,
    @Nullable ReadFigures figures,
    @Nullable String obstacle)
    implements Comparable<Candidate> {
  private static final String OTHER_FIELDS = "its key does not have all fields of the condition";

  static Candidate table(String name, Layout layout, SelectionOptions options) {
    return of(name, null, layout, options);
  }

  static Candidate index(IndexReads index, IndexWrites known, SelectionOptions options) {
    Candidate readable = of(index.name(), index, index.layout(), options);
    return index
        .obstacle(known)
        .or(() -> filter(options))
        .or(() -> Optional.ofNullable(readable.obstacle()))
        .or(() -> withoutEntries(index, options))
        .map(readable::refused)
        .orElse(readable);
  }

  private static Optional<String> filter(SelectionOptions options) {
    return options.scan.hasFilter()
        ? Optional.of("the filter of the selection is for rows of the table")
        : Optional.empty();
  }

  /** The same, for which there is an obstacle. */
  Candidate refused(String reason) {
    return new Candidate(name, index, figures, reason);
  }

  private static Candidate of(
      String name, @Nullable IndexReads index, Layout layout, SelectionOptions options) {
    Where where;
    try {
      where = options.where(layout);
    } catch (LayoutException e) {
      return new Candidate(name, index, null, OTHER_FIELDS);
    }
    try {
      return new Candidate(name, index, ReadFigures.of(layout, where, index != null), null);
    } catch (LayoutException e) {
      return new Candidate(name, index, null, e.getMessage());
    }
  }

  /** Rows of the selection that may have no entries. */
  private static Optional<String> withoutEntries(IndexReads index, SelectionOptions options) {
    Where where = options.where(index.layout());
    Set<String> limited = where == null ? Set.of() : where.fields();
    List<String> free =
        index.index().columns().stream()
            .filter(column -> !limited.contains(column.field()))
            .map(column -> column.column() + " (" + column.field() + ")")
            .toList();
    if (!free.isEmpty()) {
      return Optional.of("rows without " + String.join(", ", free) + " have no entries");
    }
    String own = index.index().where();
    boolean isWithin =
        own.isEmpty() || where != null && where.implies(Where.parse(index.layout().key(), own));
    return isWithin ? Optional.empty() : Optional.of("only rows with " + own + " have entries");
  }

  /** Whether the rows are read in the order that they have by the fields of the table. */
  boolean hasOrderOf(Layout table) {
    if (index == null) {
      return true;
    }
    Narrowing narrowing = figures == null ? Narrowing.NONE : figures.narrowing();
    List<Field> mine = varying(index.layout(), narrowing);
    List<Field> tables = varying(table, narrowing);
    // A key of the table is complete then: what follows in the index orders nothing any more.
    return mine.size() >= tables.size() && mine.subList(0, tables.size()).equals(tables);
  }

  private static List<Field> varying(Layout layout, Narrowing narrowing) {
    Set<String> constants = narrowing.constants();
    return layout.fields().stream().filter(field -> !constants.contains(field.name())).toList();
  }

  /** The columns that the fields of the condition are taken from, and as what. */
  List<String> conditionColumns(SelectionOptions options) {
    IndexReads read = index;
    Where where = read == null ? null : options.where(read.layout());
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
