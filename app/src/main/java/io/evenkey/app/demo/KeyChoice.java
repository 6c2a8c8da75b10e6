/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.demo;

import io.evenkey.advisor.candidate.NaturalKey;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.Quoted;
import java.util.ArrayList;
import java.util.List;

/** A key for records without a layout. */
final class KeyChoice {
  private KeyChoice() {}

  /** The plain layout of these columns, with types inferred from the data. */
  static Layout of(RecordSource source, List<String> columns) throws InputException {
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

  /** The key that people would choose, by all records or by a million of them. */
  static List<String> natural(RecordSource source) throws InputException {
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
    Sample built = sample.build();
    return built.size() == 0
        ? source.columns().subList(0, 1)
        : NaturalKey.of(built).stream().map(Column::name).toList();
  }
}
