/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadException;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.records.OddTimes;
import io.evenkey.jobs.split.BucketRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.FailureMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;

/**
 * The counts and side files of a bulk load's job that succeeded. Its HFiles are not in the table
 * yet, so a load can still be refused.
 *
 * @param records the number of records that were read
 * @param rejected the number of records that cannot be rows
 * @param collisions the number of records with the key of a record before them
 * @param rejects the lines of the rejected records
 * @param examples keys that several records have
 * @param warnings what looks wrong in the records
 */
record BulkLoadReport(
    long records,
    long rejected,
    long collisions,
    List<String> rejects,
    List<String> examples,
    List<String> warnings) {
  private static final int EXAMPLES = 3;

  static BulkLoadReport of(Job job, FileSystem files, Path output, Layout layout)
      throws IOException {
    List<String> warnings = new ArrayList<>(warnings(job));
    BucketRows buckets = new BucketRows(layout);
    for (String line : lines(files, output, SideFile.BUCKETS)) {
      int comma = line.indexOf(',');
      buckets.add(
          Integer.parseInt(line.substring(0, comma)), Long.parseLong(line.substring(comma + 1)));
    }
    warnings.addAll(buckets.warnings());
    return new BulkLoadReport(
        count(job, RecordMapper.Count.RECORDS),
        count(job, RecordMapper.Count.REJECTED),
        count(job, RecordMapper.Count.COLLISIONS),
        lines(files, output, SideFile.REJECTS),
        lines(files, output, SideFile.COLLISIONS).stream().map(BulkLoadReport::unquoted).toList(),
        warnings);
  }

  private static List<String> warnings(Job job) throws IOException {
    List<String> warnings = new ArrayList<>();
    for (Counter times : job.getCounters().getGroup(RecordMapper.ODD_TIMES)) {
      warnings.add(OddTimes.warning(times.getName(), times.getValue(), null));
    }
    return warnings;
  }

  /** Writes the rejected records to a file, if there are any. */
  void write(OutputFile file) throws IOException {
    if (rejected == 0) {
      return;
    }
    file.write(
        out -> {
          Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          text.write("file,line,column,reason\r\n");
          for (String line : rejects) {
            text.write(line + "\r\n");
          }
          text.flush();
          return rejects.size();
        });
  }

  /**
   * Checks the counts against the limits of a load.
   *
   * @throws LoadException if they exceed one
   */
  void check(LoadOptions options) throws LoadException {
    if (rejected > options.allowedRejects(records)) {
      throw new LoadException(
          FailureMessage.of("too many records cannot be loaded, so none was loaded")
              .with("rejected", rejected)
              .with("allowed", options.allowedRejects(records))
              .with("records", records)
              .with("see", options.rejects())
              .remedy("correct them, or " + Remedy.ALLOW_REJECTS));
    }
    if (collisions > 0 && options.onCollision() == DuplicateKeyPolicy.FAIL) {
      throw new LoadException(
          "records with one key, of which HBase keeps one; nothing was loaded: records="
              + collisions
              + " example="
              + (examples.isEmpty() ? "" : examples.get(0))
              + "; add a field to the layout that tells them apart, or "
              + Remedy.RESOLVE_COLLISIONS);
    }
  }

  /** The result of the load when its HFiles are in the table. */
  LoadResult result(LoadOptions options, long nanos) {
    long dropped = options.onCollision() == DuplicateKeyPolicy.KEEP_FIRST ? collisions : 0;
    return new LoadResult(
        records,
        records - rejected - dropped,
        rejected,
        List.of(),
        collisions,
        examples.subList(0, Math.min(EXAMPLES, examples.size())),
        0,
        warnings,
        0,
        nanos / 1e9,
        null);
  }

  private static long count(Job job, RecordMapper.Count count) throws IOException {
    return job.getCounters().findCounter(count).getValue();
  }

  private static List<String> lines(FileSystem files, Path output, String name) throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileStatus file : files.listStatus(output)) {
      if (file.getPath().getName().startsWith(name)) {
        try (BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(files.open(file.getPath()), StandardCharsets.UTF_8))) {
          reader.lines().forEach(lines::add);
        }
      }
    }
    return lines;
  }

  private static String unquoted(String value) {
    return value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1).replace("\"\"", "\"")
        : value;
  }
}
