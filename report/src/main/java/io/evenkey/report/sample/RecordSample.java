/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.sample;

import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.message.FailureMessage;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Records of a file in arrival order, evenly thinned if there are too many. Stateless. */
public final class RecordSample {
  private RecordSample() {}

  /** The values of the current record. */
  public static List<String> values(RecordCursor cursor, int columns) {
    List<String> values = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      values.add(cursor.value(i));
    }
    return values;
  }

  /** The columns that the queries name. */
  public static Set<String> columns(Workload workload) {
    return workload.queries().stream()
        .flatMap(query -> query.conditions().stream())
        .map(QueryCondition::column)
        .collect(Collectors.toSet());
  }

  /**
   * Reads the whole file.
   *
   * @param workload whose queries name the columns that a key may need
   * @param progress is called with the number of bytes read
   * @throws InputException if it cannot be read, has no records, or has a text in those columns
   *     that no key can have
   */
  public static Sample of(
      RecordSource source, Input input, Workload workload, LongConsumer progress)
      throws InputException {
    Sample.Builder sample = new Sample.Builder(source.columns());
    int columns = source.columns().size();
    int[] named =
        columns(workload).stream()
            .mapToInt(source.columns()::indexOf)
            .filter(column -> column >= 0)
            .toArray();
    CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
    try (RecordCursor cursor = source.open()) {
      for (long record = 0; cursor.next(); record++) {
        for (int column : named) {
          String text = cursor.value(column);
          if (!utf8.canEncode(text)) {
            throw InputException.value(source, cursor, source.columns().get(column), half(text));
          }
        }
        if (sample.wants()) {
          sample.add(values(cursor, columns));
        } else {
          sample.skip();
        }
        if (record % 4096 == 0) {
          progress.accept(input.bytesRead());
        }
      }
      progress.accept(input.bytesRead());
    }
    Sample built = sample.build();
    if (built.size() == 0) {
      throw InputException.empty(source);
    }
    return built;
  }

  private static String half(String text) {
    String shown =
        text.codePoints()
            .mapToObj(
                c ->
                    Character.getType(c) == Character.SURROGATE
                        ? String.format(Locale.ROOT, "\\u%04x", c)
                        : Character.toString(c))
            .collect(Collectors.joining("", "\"", "\""));
    return FailureMessage.of("text with half a surrogate pair cannot be written as UTF-8")
        .with("value", shown)
        .remedy("correct the text")
        .toString();
  }
}
