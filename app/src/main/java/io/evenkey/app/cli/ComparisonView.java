/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.layout.bytes.ByteText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("table", first.getNameAsString());
      document.put("against", second.getNameAsString());
      document.put("same", result.complete() && left.isEmpty());
      document.put("complete", result.complete());
      document.put("rows", result.rows());
      document.put("against_rows", result.otherRows());
      document.put("cells", result.cells());
      document.put("suspects", result.suspects());
      document.put("found", result.differences().size());
      document.put("seconds", result.seconds());
      document.put(
          "differences",
          left.stream()
              .map(
                  difference ->
                      Map.of(
                          "kind",
                          difference.kind().name().toLowerCase(Locale.ROOT),
                          "key_hex",
                          ByteText.hex(difference.key()),
                          "key",
                          difference.label()))
              .toList());
      console.json(document);
      return;
    }
    console
        .out()
        .printf(
            Locale.ROOT,
            "%,d rows with %,d cells against %,d rows, in %.1f s (%,.0f rows/s)%n",
            result.rows(),
            result.cells(),
            result.otherRows(),
            result.seconds(),
            result.rows() / Math.max(result.seconds(), 1e-3));
    if (repaired && !result.differences().isEmpty()) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "%,d rows differed, %,d of them are repaired%n",
              result.differences().size(),
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
