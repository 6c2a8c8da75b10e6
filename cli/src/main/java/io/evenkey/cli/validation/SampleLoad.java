/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.validation;

import io.evenkey.report.heat.counters.WriteTrace;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Writes the records of a sample in their order, while region servers count.
 *
 * @param records the number of records
 * @param window the records of a window; the last has up to twice as many
 * @param progress is called with the number of records written
 */
record SampleLoad(int records, int window, LongConsumer progress) {
  /** Writes records to a buffer. */
  interface Writer {
    void write(int record) throws IOException;

    void flush() throws IOException;
  }

  /** Writes all records; the traces get a window at a time. */
  void run(Writer writer, List<WriteTrace> traces) throws IOException {
    int windows = Math.max(1, records / window);
    int ended = 0;
    for (int i = 1; i <= records; i++) {
      writer.write(i - 1);
      boolean last = i == records;
      if (last || i % window == 0 && ended < windows - 1) {
        writer.flush();
        for (WriteTrace trace : traces) {
          trace.endWindow();
        }
        ended++;
        progress.accept(i);
      }
    }
  }
}
