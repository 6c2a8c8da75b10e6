/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Infers field types of columns from all of their values: {@code timestamp} if all are ISO 8601
 * times, or whole numbers that are milliseconds of this century; {@code int64} if all are other
 * whole numbers without leading zeros (which a number would lose); {@code string} otherwise.
 */
final class ColumnTypes {
  private static final long YEAR_2000 = 946_684_800_000L;
  private static final long YEAR_2100 = 4_102_444_800_000L;
  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,17}");
  private static final Pattern TIME =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}"
              + "([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?");

  private ColumnTypes() {}

  /** The type of each column, in the order of {@code columns}. */
  static List<String> infer(RecordSource source, int[] columns) throws InputException {
    boolean[] whole = new boolean[columns.length];
    boolean[] moment = new boolean[columns.length];
    boolean[] time = new boolean[columns.length];
    Arrays.fill(whole, true);
    Arrays.fill(moment, true);
    Arrays.fill(time, true);
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        for (int i = 0; i < columns.length; i++) {
          String value = records.value(columns[i]);
          whole[i] = whole[i] && WHOLE.matcher(value).matches();
          moment[i] = moment[i] && whole[i] && isMoment(Long.parseLong(value));
          time[i] = time[i] && TIME.matcher(value).matches();
        }
      }
    }
    String[] types = new String[columns.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = moment[i] || time[i] ? "timestamp" : whole[i] ? "int64" : "string";
    }
    return List.of(types);
  }

  private static boolean isMoment(long number) {
    return number >= YEAR_2000 && number < YEAR_2100;
  }
}
