/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.evenkey.app.terminal.Progress;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * The output of commands: results go to {@code out}, everything else to {@code err}, so that output
 * can be piped and JSON is not mixed with other text.
 *
 * @param out results
 * @param err progress, notes and errors
 * @param columns width of the terminal behind {@code err} in characters; 0 if it is not a terminal
 */
record Console(PrintStream out, PrintStream err, int columns) {
  /** Prints one JSON document to {@code out}. */
  void json(Map<String, ?> document) {
    try {
      out.println(
          new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(document));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("figures and texts can always be written as JSON", e);
    }
  }

  Progress progress(String task, long total) {
    return progress(task, total, " rows");
  }

  Progress progress(String task, long total, String unit) {
    return Progress.of(err, columns, task, total, unit);
  }

  Progress byteProgress(String task, long totalBytes) {
    return Progress.ofBytes(err, columns, task, totalBytes);
  }

  void note(String text) {
    err.println(text);
  }

  /** Shows a user at a terminal which long step is running. */
  void hint(String text) {
    if (columns > 0) {
      err.println(text);
    }
  }

  /** Prints a table. Columns are as wide as their widest value; the last column is not padded. */
  void table(List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i));
        if (i + 1 < row.size()) {
          line.append(" ".repeat(widths[i] - row.get(i).length() + 2));
        }
      }
      out.println(line.toString().stripTrailing());
    }
  }

  void warnings(List<String> warnings) {
    warnings.forEach(warning -> out.println("warning: " + warning));
  }
}
