/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.jspecify.annotations.Nullable;

/**
 * A CSV beside a task's output, which is there if the task was finished. Made when there is
 * something in it. Not thread-safe.
 */
final class SideFile implements Closeable {
  /** The begin of file names that HBase's bulk load ignores. */
  static final String REJECTS = "_rejects";

  static final String COLLISIONS = "_collisions";

  /** A line for each bucket that has rows: its number, and how many. */
  static final String BUCKETS = "_buckets";

  private final TaskInputOutputContext<?, ?, ?, ?> context;
  private final String name;
  private @Nullable CsvWriter out;

  private SideFile(TaskInputOutputContext<?, ?, ?, ?> context, String name) {
    this.context = context;
    this.name = name;
  }

  static SideFile of(TaskInputOutputContext<?, ?, ?, ?> context, String name) {
    return new SideFile(context, name);
  }

  void add(String... values) throws IOException {
    CsvWriter open = out;
    if (open == null) {
      try {
        Path file =
            new Path(
                FileOutputFormat.getWorkOutputPath(context),
                FileOutputFormat.getUniqueFile(context, name, ".csv"));
        open =
            CsvWriter.builder()
                .build(
                    new OutputStreamWriter(
                        file.getFileSystem(context.getConfiguration()).create(file),
                        StandardCharsets.UTF_8));
        out = open;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a side file was made", e);
      }
    }
    open.writeRecord(values);
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}
