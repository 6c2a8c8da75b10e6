/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which the rows of a selection may be read, and the rule by which one is chosen:
 *
 * <ol>
 *   <li>The one that the application names, by itself or by a cursor.
 *   <li>If the condition is on fields that only indexes have: the cheapest of these.
 *   <li>Else the cheapest of the table, and of those indexes that give its rows in the same order;
 *       of all indexes, if any order will do.
 * </ol>
 *
 * <p>An index is no candidate by itself while it may not be read, or if rows of the selection may
 * be without an entry. Of several that cost the same, the table is chosen, or else the index that
 * was added first. Immutable.
 *
 * @param layout the layout of the table's rows
 * @param known what the client knows of the table's indexes; null if it has none
 * @param rows the table as a candidate
 * @param indexes the indexes, in the order in which they were added
 */
record Candidates(
    TableName table,
    Layout layout,
    @Nullable IndexWrites known,
    SelectionOptions options,
    Candidate rows,
    List<Candidate> indexes) {
  /**
   * The candidates.
   *
   * @param failed the names of indexes that could not be read just now
   */
  static Candidates of(
      TableName table,
      Layout layout,
      @Nullable IndexWrites known,
      SelectionOptions options,
      Set<String> failed) {
    List<Candidate> indexes = new ArrayList<>();
    if (known != null) {
      for (IndexReads index : known.reads()) {
        Candidate next = Candidate.index(index, known, options);
        indexes.add(
            failed.contains(next.name()) ? next.refused("could not be read just now") : next);
      }
    }
    Candidate rows = Candidate.table(table.getNameAsString(), layout, options);
    return new Candidates(table, layout, known, options, rows, List.copyOf(indexes));
  }

  /**
   * Chooses one.
   *
   * @throws IndexRefusedException if the index that is named may not be read, or is another one
   *     than that of the cursor; or if only indexes have the fields of the condition, and none of
   *     them can serve it
   */
  PlannedRead choose() throws IndexRefusedException {
    ReadCursor cursor = options.cursor;
    if (options.byTable) {
      return table("named by by(…)");
    }
    if (options.by != null) {
      return named(options.by, "named by by(…)");
    }
    if (cursor != null) {
      String index = cursor.index();
      return index == null
          ? table("the read continues behind a key of the table")
          : named(index, "the read continues behind an entry of this index");
    }
    return options.isReadByTable() ? cheapest() : cheapestIndex();
  }

  private PlannedRead table(String reason) throws IndexRefusedException {
    checkCursor(null);
    return chosen(rows, reason, index -> obstacleOr(index, "not named"));
  }

  /** The index of a name, which may be that of the table too. */
  private PlannedRead named(String name, String reason) throws IndexRefusedException {
    IndexReads read = IndexReads.of(table, known, name);
    checkCursor(read);
    Candidate named = indexes.stream().filter(c -> c.isOf(read)).findFirst().orElseThrow();
    if (options.scan.hasFilter() || options.by == null && named.obstacle() != null) {
      throw IndexRefusedException.of(
          table,
          "index that cannot serve the selection",
          "index=" + read.name() + " reason=" + named.obstacle(),
          "read the table, or leave this part of the selection out");
    }
    return chosen(named, reason, other -> obstacleOr(other, "not named"));
  }

  private void checkCursor(@Nullable IndexReads read) throws IndexRefusedException {
    ReadCursor cursor = options.cursor;
    if (cursor == null || (read == null ? cursor.index() == null : cursor.isOf(read))) {
      return;
    }
    throw IndexRefusedException.of(
        table,
        "cursor of another read",
        "cursor="
            + Quoted.literal(cursor.toString())
            + " read_by="
            + (read == null ? rows.name() : read.name()),
        "continue the read as it was begun; if the index was replaced, begin the read again");
  }

  private PlannedRead cheapest() {
    if (rows.figures() == null) {
      // What is wrong with the condition is thrown when the table is read by it.
      return chosen(rows, "has the fields of the condition", index -> obstacleOr(index, ""));
    }
    Candidate best = rows;
    boolean isDearer = false;
    for (Candidate next : usable()) {
      if (!mayReplaceTable(next)) {
        isDearer |= next.compareTo(rows) < 0;
      } else if (next.compareTo(best) < 0) {
        best = next;
      }
    }
    String reason =
        indexes.isEmpty()
            ? "the table has no index"
            : best.index() == null && isDearer
                ? "keeps the order of the table's key"
                : best.hasOrderOf(layout)
                    ? "reads least, in the order of the table's key"
                    : "reads least, and any order will do";
    Candidate chosen = best;
    return chosen(best, reason, other -> obstacleOr(other, comparison(other, chosen)));
  }

  private boolean mayReplaceTable(Candidate index) {
    return options.anyOrder || index.hasOrderOf(layout);
  }

  private String comparison(Candidate other, Candidate chosen) {
    boolean isCheaper = other.compareTo(chosen) < 0;
    if (isCheaper) {
      return "reads less, but in another order: allow it by anyOrder() or by(\""
          + other.name()
          + "\")";
    }
    return other.compareTo(chosen) == 0 ? "reads as much" : "reads more";
  }

  private PlannedRead cheapestIndex() throws IndexRefusedException {
    List<Candidate> usable = usable();
    checkMeaning(usable);
    Candidate best = usable.stream().min(Candidate::compareTo).orElse(null);
    if (best == null) {
      throw IndexRefusedException.noneServes(
          table,
          indexes.stream()
              .map(index -> index.name() + " (" + index.obstacle() + ")")
              .collect(Collectors.joining(", ")));
    }
    String reason =
        usable.size() == 1
            ? "only this index has the fields of the condition"
            : "only indexes have the fields of the condition, and this one reads least";
    return chosen(best, reason, other -> obstacleOr(other, comparison(other, best)));
  }

  /** A name may stand for one column in one index, and for another in the next. */
  private void checkMeaning(List<Candidate> usable) throws IndexRefusedException {
    Set<List<String>> meanings =
        usable.stream().map(Candidate::conditionColumns).collect(Collectors.toSet());
    if (meanings.size() > 1) {
      throw IndexRefusedException.of(
          table,
          "condition on a field that indexes take from different columns",
          "indexes=" + usable.stream().map(Candidate::name).collect(Collectors.joining(",")),
          Remedy.NAME_INDEX + ": select().by(\"…\")");
    }
  }

  private List<Candidate> usable() {
    return indexes.stream().filter(index -> index.obstacle() == null).toList();
  }

  private static String obstacleOr(Candidate candidate, String verdict) {
    String obstacle = candidate.obstacle();
    return obstacle == null ? verdict : obstacle;
  }

  private PlannedRead chosen(Candidate chosen, String reason, Function<Candidate, String> others) {
    List<ReadPlan> plans = new ArrayList<>();
    ReadPlan plan = chosen.plan(reason);
    plans.add(chosen.equals(rows) ? plan : rows.plan(others.apply(rows)));
    for (Candidate index : indexes) {
      plans.add(chosen.equals(index) ? plan : index.plan(others.apply(index)));
    }
    return new PlannedRead(new ReadChoice(plan, plans), chosen.index());
  }
}
