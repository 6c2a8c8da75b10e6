/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, counts and logs (at debug) the exceptions by which a region refuses. Thread-safe.
 *
 * @param metrics those of the region server
 */
record Refusals(GuardMetrics metrics) {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /**
   * The refusal of a request.
   *
   * @param stamped whether the request names a layout, so that its client knows of refusals;
   *     HBase's own client repeats a fenced write quietly, if the exception lets it
   */
  IOException of(Outcome outcome, TableRules rules, boolean stamped) {
    String message = counted(outcome, message(outcome, rules));
    return outcome == Outcome.FENCED && !stamped
        ? new RegionTooBusyException(message)
        : new DoNotRetryIOException(message);
  }

  /**
   * The refusal of a request, or a file, that names no layout, for one of its rows.
   *
   * @param problem what the layout makes of the row; empty if it is one of the layout
   */
  IOException ofRow(Outcome outcome, TableRules rules, byte[] row, String problem) {
    String where = where(rules, row);
    String message =
        outcome == Outcome.INDEXED
            ? "request that names no layout changes an indexed column, or a row without writing its"
                + " entry: "
                + where
                + "; use Evenkey's client, which writes entries "
            : "request or file names no layout, and its row does not fit the table's layout: "
                + where
                + " "
                + problem
                + "; use Evenkey's client to write logical keys, write rows as the layout stores"
                + " them, or set the attribute evenkey.raw to write any row ";
    return new DoNotRetryIOException(counted(outcome, message + Refusal.UNSTAMPED.mark()));
  }

  /**
   * The refusal of a row that another cluster replicates.
   *
   * @param problem what the layout makes of the row; null if it is one of the layout
   */
  IOException ofReplicatedRow(
      Outcome outcome, TableRules rules, Mutation mutation, @Nullable String problem) {
    SourceLayout source = SourceLayout.of(mutation);
    String where =
        where(rules, mutation.getRow())
            + " source_layout="
            + source
            + " source_cluster="
            + mutation.getClusterIds().get(0);
    String message =
        outcome == Outcome.INDEXED
            ? "replication changes a column of an index, and brings no entries: "
                + where
                + "; drop the indexes of this table as long as it is replicated to "
            : (problem == null
                    ? "replication brings a row of another layout than the table's: " + where
                    : "replication brings a row that does not fit the table's layout: "
                        + where
                        + " "
                        + problem)
                + remedy(source, rules.text());
    return new DoNotRetryIOException(counted(outcome, message + Refusal.UNSTAMPED.mark()));
  }

  /**
   * The refusal of files that another cluster replicates, from a table of another layout.
   *
   * @param question names the layout and the cluster
   */
  IOException ofReplicatedFiles(TableRules rules, Get question) {
    SourceLayout source = SourceLayout.ofFiles(question);
    String message =
        "replication brings bulk-loaded files of another layout than the table's: table="
            + rules.text().table()
            + " layout="
            + rules.text().layout()
            + " source_layout="
            + source
            + " source_cluster="
            + Bytes.toString(question.getAttribute(GuardAttributes.SOURCE_CLUSTER))
            + remedy(source, rules.text());
    return new DoNotRetryIOException(counted(Outcome.FOREIGN, message + Refusal.UNSTAMPED.mark()));
  }

  private static String remedy(SourceLayout source, TableText text) {
    if (source.line() == null) {
      return "; only a source with a layout and the guard sends its layout: a check of its cluster"
          + " names both ";
    }
    AppendedSteps steps = source.steps(text.layout());
    if (steps != null && source.hasSteps(steps)) {
      return "; go on with the migration at the source, which takes the step here too; or create this"
          + " table again under the source's layout, and copy its rows ";
    }
    return source.differsFrom(text.layout())
        ? "; create this table again under the source's layout, and the source repeats its rows "
        : "; the source has rows that do not fit its own layout: a verification there finds them ";
  }

  private static String where(TableRules rules, byte[] row) {
    return "table="
        + rules.text().table()
        + " row="
        + StoredRows.shown(row)
        + " layout="
        + rules.text().layout();
  }

  private String counted(Outcome outcome, String message) {
    metrics.refused(outcome);
    LOG.debug("refused: {}", message);
    return message;
  }

  private static String message(Outcome outcome, TableRules rules) {
    TableText text = rules.text();
    GuardState state = rules.state();
    String table = "table=" + text.table();
    String layout = text.layout() == null ? "none" : text.layout();
    return switch (outcome) {
      case FENCED -> "writes pause for a moment: " + table + "; repeat it " + Refusal.FENCED.mark();
      case CLOSED ->
          "table is another generation now: "
              + table
              + " use="
              + (state == null ? "" : state.other())
              + " "
              + Refusal.CLOSED.mark();
      case LAYOUT ->
          (rules.layoutUnknown()
                  ? "layout of the table is of a later version than the region server's guard: "
                  : "request was made by another layout"
                      + (rules.indexed() ? ", or for other indexes," : "")
                      + " than the table's: ")
              + table
              + " layout="
              + layout
              + (state == null ? "" : " " + Refusal.revisionText(state.revision()))
              + (rules.layoutUnknown() ? "; update evenkey-server there " : "; look it up again ")
              + Refusal.LAYOUT.mark();
      case UNSTAMPED ->
          "table has a layout, and the request or file names none: "
              + table
              + " layout="
              + layout
              + (rules.indexed()
                  ? "; use Evenkey's client: the table has indexes, which other clients do not"
                      + " write "
                  : "; use Evenkey's client, set the attribute evenkey.raw to mean rows as they are"
                      + " stored, or have rows checked: EVENKEY_RAW_WRITES=checked ")
              + Refusal.UNSTAMPED.mark();
      case TURN ->
          "request belongs to a migration run that does not hold the table: "
              + table
              + " turn="
              + (state == null ? "" : Long.toString(state.turn()))
              + " "
              + Refusal.TURN.mark();
      case MIGRATING ->
          "bulk load into a table that is being migrated: "
              + table
              + "; load when the migration is over "
              + Refusal.MIGRATING.mark();
      case ENTRIES ->
          "table has the entries of an index, which clients write together with rows: "
              + table
              + " indexed_table="
              + text.indexedTable()
              + "; write to that table "
              + Refusal.ENTRIES.mark();
      case UNREADABLE ->
          "state of the table is not understood by the region server's guard: "
              + table
              + " state="
              + text.state()
              + "; update evenkey-server there";
      case ALLOWED, MARKED, FOREIGN, INDEXED ->
          throw new IllegalArgumentException("no refusal of a whole request: " + outcome);
    };
  }
}
