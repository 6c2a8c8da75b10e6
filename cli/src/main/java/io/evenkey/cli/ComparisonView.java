/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.report.json.ComparisonJson;
import io.evenkey.report.terminal.Amount;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;

/** Prints the result of a comparison of two tables as text or JSON. */
final class ComparisonView {
  private static final int SHOWN = 20;

  private final Console console;
  private final boolean json;

  ComparisonView(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  /**
   * Prints the result.
   *
   * @param left the differences that remain
   * @param repaired whether differences were repaired
   */
  void show(
      TableName first,
      TableName second,
      ComparisonResult result,
      List<Difference> left,
      boolean repaired) {
    if (json) {
      console.json(ComparisonJson.of(first, second, result, left));
      return;
    }
    console
        .out()
        .printf(
            Locale.ROOT,
            "%s with %s against %s, in %.1f s (%s/s)%n",
            Amount.of(result.rows(), "row"),
            Amount.of(result.cells(), "cell"),
            Amount.of(result.otherRows(), "row"),
            result.seconds(),
            Amount.of(Math.round(result.rows() / Math.max(result.seconds(), 1e-3)), "row"));
    if (repaired && !result.differences().isEmpty()) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "%s differed, %,d repaired%n",
              Amount.of(result.differences().size(), "row"),
              result.differences().size() - left.size());
    }
    for (Difference difference : left.subList(0, Math.min(SHOWN, left.size()))) {
      console
          .out()
          .println(
              switch (difference.kind()) {
                    case MISSING -> "missing    ";
                    case EXTRA -> "extra      ";
                    case CELLS -> "different  ";
                    case BUSY -> "busy       ";
                  }
                  + difference.label());
    }
    if (left.size() > SHOWN) {
      console.out().println("… of " + left.size());
    }
    if (left.isEmpty() && result.complete()) {
      console.out().println("same");
    }
  }
}
