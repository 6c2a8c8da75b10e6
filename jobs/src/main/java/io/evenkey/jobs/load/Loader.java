/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.jobs.trace.JobSpan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;

/**
 * Loads the records of some inputs into a table. See the package for why it can be killed at any
 * moment. For one use, by one thread.
 */
public final class Loader {
  /** Is called with the progress of a load, every few hundred records. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A word on how far it is.
     *
     * @param records read so far
     * @param skew the busiest region server's share over the mean share, in the last second
     */
    void loaded(long records, double skew);
  }

  private static final int BATCH_ROWS = 1_000;
  private static final long BATCH_BYTES = 4L << 20;
  private static final int TELL_EVERY = 512;

  private final TableName table;
  private final Layout layout;
  private final List<Input> inputs;
  private final List<RecordSource> sources;
  private final List<RecordRows> rows;
  private final LoadOptions options;

  private Loader(
      TableName table,
      Layout layout,
      List<Input> inputs,
      List<RecordSource> sources,
      List<RecordRows> rows,
      LoadOptions options) {
    this.table = table;
    this.layout = layout;
    this.inputs = inputs;
    this.sources = sources;
    this.rows = rows;
    this.options = options;
  }

  /**
   * Prepares a load; nothing is written yet.
   *
   * @param inputs the files, which are read one after the other
   * @param sources their records
   * @throws InputException if what the layout or the options name is not in the records
   */
  public static Loader of(
      TableName table,
      Layout layout,
      List<Input> inputs,
      List<RecordSource> sources,
      LoadOptions options)
      throws InputException {
    List<RecordRows> rows = new ArrayList<>();
    for (RecordSource source : sources) {
      rows.add(
          RecordRows.of(
              source,
              layout,
              options.columns(),
              options.family(),
              options.families(),
              options.times()));
    }
    return new Loader(table, layout, List.copyOf(inputs), List.copyOf(sources), rows, options);
  }

  /**
   * Loads.
   *
   * @param plain a connection to which rows are what is stored
   * @throws LoadException if it stopped; what to do is in the message
   * @throws InputException if the input cannot be read on, and no record of it was written
   * @throws FileRefusedException if the file of the rejects has other content
   */
  public LoadResult run(Connection plain, Listener listener) throws IOException {
    return JobSpan.around("IMPORT", table, () -> load(plain, listener));
  }

  private LoadResult load(Connection plain, Listener listener) throws IOException {
    Checkpoint found = found();
    boolean resumed = found != null && found.isSameLoad(fresh());
    try (Rejects rejects = Rejects.of(options, resumed)) {
      return run(plain, listener, begin(found), rejects);
    }
  }

  private LoadResult run(Connection plain, Listener listener, Checkpoint from, Rejects rejects)
      throws IOException {
    long start = System.nanoTime();
    LoadSkew skew = LoadSkew.of(plain, table, layout);
    Collisions collisions =
        new Collisions(options.onCollision(), layout, Runtime.getRuntime().maxMemory());
    try (Writers writers = new Writers(plain, table, layout, options.writers(), skew, from)) {
      LoadPass run =
          new LoadPass(from, writers, collisions, rejects, skew, listener, mostBytes(plain));
      try {
        run.readAll();
        writers.finish();
      } catch (IOException e) {
        writers.stop();
        save(writers);
        throw said(e, writers.done());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while loading");
      }
      rejects.force();
      Files.deleteIfExists(options.checkpoint());
      return new LoadResult(
          run.record,
          run.record - rejects.count() - run.left,
          rejects.count(),
          rejects.examples(),
          collisions.count(),
          collisions.examples(),
          collisions.uncertain(),
          Stream.concat(
                  rows.stream().flatMap(mapping -> mapping.oddTimes().warnings().stream()),
                  skew.warnings().stream())
              .toList(),
          from.records(),
          (System.nanoTime() - start) / 1e9,
          skew.mean());
    }
  }

  private static long mostBytes(Connection plain) {
    return plain.getConfiguration().getInt(RecordRows.LARGEST, 10 << 20);
  }

  private static IOException said(IOException e, Checkpoint done) {
    if (e instanceof LoadException || e instanceof FileRefusedException || done.records() == 0) {
      return e;
    }
    String next =
        e instanceof InputException
            ? "; correct the input, and " + Remedy.RESTART_LOAD
            : "; " + Remedy.RESUME_LOAD;
    return new LoadException("load stopped: records_written=" + done.records() + next, e);
  }

  private Checkpoint fresh() throws IOException {
    return new Checkpoint(
        Checkpoint.FORMAT,
        table.getNameAsString(),
        layout.toString(),
        Checkpoint.marks(inputs),
        options.columns()
            + " "
            + options.family()
            + options.families()
            + (options.times() == null ? "" : " " + options.times())
            + " "
            + options.onCollision()
            + (options.dialect() == null ? "" : " " + options.dialect()),
        System.currentTimeMillis(),
        0);
  }

  /** The checkpoint that is there, if this load may go on with it or begin again in its place. */
  private @Nullable Checkpoint found() throws IOException {
    Checkpoint found = Checkpoint.read(options.checkpoint());
    if (found == null) {
      return null;
    }
    if (!found.table().equals(table.getNameAsString())) {
      throw new LoadException(
          FailureMessage.of("checkpoint of an import into another table")
              .with("checkpoint", options.checkpoint())
              .with("table", found.table())
              .remedy(Remedy.NAME_CHECKPOINT));
    }
    Checkpoint fresh = fresh();
    // Without a finished record there is nothing to decide.
    if (options.begin() == LoadOptions.Begin.RESTART
        || found.records() == 0 && found.isSameLoad(fresh)) {
      return found;
    }
    if (options.begin() != LoadOptions.Begin.RESUME) {
      throw new LoadException(
          FailureMessage.of("load was interrupted before")
              .with("checkpoint", options.checkpoint())
              .with("records", found.records())
              .remedy(Remedy.RESUME_LOAD + ", or " + Remedy.RESTART_LOAD));
    }
    if (!found.isSameLoad(fresh)) {
      throw new LoadException(
          FailureMessage.of("checkpoint is of a load with other input or options")
              .with("checkpoint", options.checkpoint())
              .with("then", found)
              .with("now", fresh)
              .remedy("resume it as it was begun, or " + Remedy.RESTART_LOAD));
    }
    return found;
  }

  private Checkpoint begin(@Nullable Checkpoint found) throws IOException {
    if (found != null && options.begin() != LoadOptions.Begin.RESTART) {
      return found;
    }
    Checkpoint fresh = fresh();
    // From now on its timestamps are known: a load that is killed at once can be resumed too.
    if (found == null) {
      fresh.create(options.checkpoint());
    } else {
      fresh.replace(options.checkpoint());
    }
    return fresh;
  }

  private void save(Writers writers) throws IOException {
    writers.done().replace(options.checkpoint());
  }

  /** One pass over all records. */
  private final class LoadPass {
    private final Checkpoint from;
    private final Writers writers;
    private final Collisions collisions;
    private final Rejects rejects;
    private final LoadSkew skew;
    private final Listener listener;
    private final long mostBytes;

    private List<List<Put>> batch = lanes();
    private int batchRows;
    private long batchBytes;
    private long nextCheckpoint = System.nanoTime() + options.checkpointEvery().toNanos();
    private long record;
    private long left;

    LoadPass(
        Checkpoint from,
        Writers writers,
        Collisions collisions,
        Rejects rejects,
        LoadSkew skew,
        Listener listener,
        long mostBytes) {
      this.mostBytes = mostBytes;
      this.from = from;
      this.writers = writers;
      this.collisions = collisions;
      this.rejects = rejects;
      this.skew = skew;
      this.listener = listener;
    }

    void readAll() throws IOException, InterruptedException {
      for (int i = 0; i < sources.size(); i++) {
        try (RecordCursor cursor = rows.get(i).open()) {
          boolean more = true;
          while (more) {
            more = readOne(cursor, rows.get(i), sources.get(i).name());
          }
        }
      }
      submit();
      listener.loaded(record, skew.now());
    }

    private boolean readOne(RecordCursor cursor, RecordRows mapping, String input)
        throws IOException, InterruptedException {
      try {
        if (!cursor.next()) {
          return false;
        }
        add(cursor, mapping, input);
      } catch (InputException e) {
        if (!e.isOfOneRecord()) {
          throw e;
        }
        // Earlier rejects too: the file of an earlier run is compared with them.
        rejects.add(input, record, e);
      }
      record++;
      if (batchRows >= BATCH_ROWS * options.writers()
          || batchBytes >= BATCH_BYTES * options.writers()) {
        submit();
      }
      if (record % TELL_EVERY == 0) {
        listener.loaded(record, skew.now());
        if (System.nanoTime() > nextCheckpoint) {
          save(writers);
          nextCheckpoint = System.nanoTime() + options.checkpointEvery().toNanos();
        }
      }
      return true;
    }

    private void add(RecordCursor cursor, RecordRows mapping, String input) throws IOException {
      byte[] logical = mapping.logicalKey(cursor);
      List<RecordRows.Value> values = mapping.values(cursor);
      // Only records that can be stored take part: another with the same key may be the first.
      int before = layout.spread().isRandom() ? 0 : collisions.add(logical, cursor, input);
      if (before > 0 && options.onCollision() == DuplicateKeyPolicy.KEEP_FIRST) {
        left++;
      } else if (record >= from.records()) {
        Put put = mapping.put(mapping.row(logical, record), values, from.startedAt());
        mapping.checkSizes(cursor, put, mostBytes);
        batch.get(Math.floorMod(Arrays.hashCode(put.getRow()), batch.size())).add(put);
        batchRows++;
        batchBytes += put.heapSize();
      }
    }

    private void submit() throws IOException, InterruptedException {
      writers.submit(batch, from.at(Math.max(record, from.records())));
      batch = lanes();
      batchRows = 0;
      batchBytes = 0;
    }

    private List<List<Put>> lanes() {
      List<List<Put>> lanes = new ArrayList<>(options.writers());
      for (int i = 0; i < options.writers(); i++) {
        lanes.add(new ArrayList<>(BATCH_ROWS));
      }
      return lanes;
    }
  }
}
