/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.advice.sample;

import io.evenkey.advisor.sample.Sample;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

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

  /**
   * Reads the whole file.
   *
   * @param progress is called with the number of bytes read
   * @throws InputException if it cannot be read, or has no records
   */
  public static Sample of(RecordSource source, Input input, LongConsumer progress)
      throws InputException {
    Sample.Builder sample = new Sample.Builder(source.columns());
    int columns = source.columns().size();
    try (RecordCursor cursor = source.open()) {
      for (long record = 0; cursor.next(); record++) {
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
}
