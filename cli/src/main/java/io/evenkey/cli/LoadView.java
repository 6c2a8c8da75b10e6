/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.report.json.ImportJson;
import io.evenkey.report.terminal.Amount;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** Prints the result of a load as text or JSON. */
final class LoadView {
  private final Console console;
  private final boolean json;

  LoadView(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  /**
   * Prints the result.
   *
   * @param bulk whether it was a bulk load
   */
  void show(TableName table, LoadOptions options, boolean bulk, LoadResult result) {
    if (json) {
      console.json(ImportJson.of(table, result, bulk));
      return;
    }
    Double skew = result.serverSkew();
    console
        .out()
        .printf(
            Locale.ROOT,
            "%s, %,d written in %.1f s (%s/s)%s%n",
            Amount.of(result.records(), "record"),
            result.rows(),
            result.seconds(),
            Amount.of(Math.round(result.recordsPerSecond()), "record"),
            bulk || skew == null ? "" : String.format(Locale.ROOT, ", server skew %.2f", skew));
    if (result.resumedAt() > 0) {
      console.out().printf(Locale.ROOT, "resumed at record %,d%n", result.resumedAt());
    }
    collisions(options, result);
    console.warnings(result.warnings());
    if (result.rejected() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "rejected: %,d of %s; see %s%n",
              result.rejected(),
              Amount.of(result.records(), "record"),
              options.rejects());
    }
  }

  private void collisions(LoadOptions options, LoadResult result) {
    if (result.collisions() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "warning: keys that a record before had: %s; HBase keeps one row of each: %s%n",
              Amount.of(result.collisions(), "record"),
              options.onCollision() == DuplicateKeyPolicy.KEEP_FIRST
                  ? "the first was kept"
                  : "a read finds the last");
      result.examples().forEach(example -> console.out().println("  " + example));
    }
    if (result.uncertain() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "note: for lack of memory, compared with earlier keys only: the last %s;"
                  + " EVENKEY_JAVA_OPTS=-Xmx… gives more%n",
              Amount.of(result.uncertain(), "record"));
    }
  }
}
