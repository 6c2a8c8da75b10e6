/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.advisor.candidate.NaturalKey;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key for records without a layout.
 *
 * @param layout without a spread
 * @param warnings of columns that it cannot begin with
 */
record KeyChoice(Layout layout, List<String> warnings) {
  /**
   * By all records or by a million of them.
   *
   * @param columns those of the key, or null for those that people would choose
   */
  static KeyChoice of(RecordSource source, @Nullable List<String> columns) throws InputException {
    Sample sample = sample(source);
    return new KeyChoice(
        plain(source, columns != null ? columns : natural(source, sample)), sample.warnings());
  }

  /** The plain layout of these columns, with types inferred from the data. */
  private static Layout plain(RecordSource source, List<String> columns) throws InputException {
    int[] indexes = new int[columns.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = source.column(columns.get(i));
    }
    List<String> types = ColumnTypes.infer(source, indexes);
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < indexes.length; i++) {
      fields.add(Quoted.name(columns.get(i)) + ":" + types.get(i));
    }
    return Layout.parse(String.join(" + ", fields));
  }

  private static List<String> natural(RecordSource source, Sample sample) {
    return sample.size() == 0
        ? source.columns().subList(0, 1)
        : NaturalKey.of(sample).stream().map(Column::name).toList();
  }

  private static Sample sample(RecordSource source) throws InputException {
    Sample.Builder sample = new Sample.Builder(source.columns());
    int columns = source.columns().size();
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        if (!sample.wants()) {
          sample.skip();
          continue;
        }
        List<String> values = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
          values.add(records.value(i));
        }
        sample.add(values);
      }
    }
    return sample.build();
  }
}
