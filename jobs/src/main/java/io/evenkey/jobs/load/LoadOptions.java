/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.records.Dialect;
import io.evenkey.jobs.records.WrittenTimes;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.message.FailureMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a load. Immutable.
 *
 * <pre>{@code
 * LoadOptions options =
 *     LoadOptions.to(rejects, checkpoint)
 *         .family("m")
 *         .maxRejects(100)
 *         .begin(LoadOptions.Begin.RESUME)
 *         .build();
 * }</pre>
 *
 * @param dialect how delimited text is written, or null for the usual way of its format
 * @param columns the cells that columns of the records become; empty for every column, as text
 * @param family the family of columns for which {@code columns} names no other; empty if there is
 *     none
 * @param families the families with which a column's own name may begin, as in {@link
 *     io.evenkey.jobs.records.CellName}
 * @param times what the whole numbers of the files are for fields of type {@code timestamp}; null
 *     for milliseconds
 * @param onCollision the treatment of records with the same key
 * @param maxRejects the number of records that may be rejected
 * @param rejectShare the share of the records that may be rejected, if that is more
 * @param rejects the file of rejected records. A resumed load continues its own file; another file
 *     that exists is refused
 * @param checkpoint the file with the progress of the load, deleted when the load is complete. A
 *     file of a load into another table is refused
 * @param begin the treatment of a checkpoint that exists
 * @param replace whether {@code rejects} replaces any file that exists
 * @param writers the number of batches that are written at once
 * @param checkpointEvery the interval of checkpoints
 */
public record LoadOptions(
    @Nullable Dialect dialect,
    List<CellColumn> columns,
    String family,
    List<String> families,
    @Nullable WrittenTimes times,
    DuplicateKeyPolicy onCollision,
    long maxRejects,
    double rejectShare,
    Path rejects,
    Path checkpoint,
    Begin begin,
    boolean replace,
    int writers,
    Duration checkpointEvery) {
  /** The treatment of a checkpoint of an interrupted load. */
  public enum Begin {
    /** A checkpoint is refused. */
    FRESH,
    /** The load continues behind its checkpoint. */
    RESUME,
    /** The load begins with the first record. */
    RESTART
  }

  /** Copies the lists and checks the numbers and paths. */
  public LoadOptions {
    columns = List.copyOf(columns);
    families = List.copyOf(families);
    if (maxRejects < 0 || writers < 1) {
      throw new EvenkeyArgumentException(
          "load option out of range: maxRejects=" + maxRejects + " writers=" + writers);
    }
    if (rejects.toAbsolutePath().normalize().equals(checkpoint.toAbsolutePath().normalize())) {
      throw new EvenkeyArgumentException(
          FailureMessage.of("one file for rejects and checkpoint")
              .with("path", rejects)
              .remedy("name two"));
    }
  }

  /**
   * Options with these two files and otherwise the defaults: every column as text in family {@code
   * d}, duplicate keys reported, no rejected record, a fresh start.
   */
  public static Builder to(Path rejects, Path checkpoint) {
    return new Builder(rejects, checkpoint);
  }

  /** The number of rejected records that a load of so many may have. */
  public long allowedRejects(long records) {
    return Math.max(maxRejects, (long) (rejectShare * records));
  }

  /** A builder that begins with these options. */
  public Builder toBuilder() {
    return to(rejects, checkpoint)
        .dialect(dialect)
        .columns(columns)
        .family(family)
        .families(families)
        .times(times)
        .onCollision(onCollision)
        .maxRejects(maxRejects)
        .rejectShare(rejectShare)
        .begin(begin)
        .replace(replace)
        .writers(writers)
        .checkpointEvery(checkpointEvery);
  }

  /** Collects options; each is described at the component of its name. Not thread-safe. */
  public static final class Builder {
    private final Path rejects;
    private final Path checkpoint;
    private @Nullable Dialect dialect;
    private List<CellColumn> columns = List.of();
    private String family = "d";
    private List<String> families = List.of();
    private @Nullable WrittenTimes times;
    private DuplicateKeyPolicy onCollision = DuplicateKeyPolicy.REPORT;
    private long maxRejects;
    private double rejectShare;
    private Begin begin = Begin.FRESH;
    private boolean replace;
    private int writers = 4;
    private Duration checkpointEvery = Duration.ofSeconds(1);

    private Builder(Path rejects, Path checkpoint) {
      this.rejects = rejects;
      this.checkpoint = checkpoint;
    }

    /** Sets {@link LoadOptions#dialect}. */
    public Builder dialect(@Nullable Dialect dialect) {
      this.dialect = dialect;
      return this;
    }

    /** Sets {@link LoadOptions#columns}. */
    public Builder columns(List<CellColumn> columns) {
      this.columns = columns;
      return this;
    }

    /** Sets {@link LoadOptions#family}. */
    public Builder family(String family) {
      this.family = family;
      return this;
    }

    /** Sets {@link LoadOptions#families}. */
    public Builder families(List<String> families) {
      this.families = families;
      return this;
    }

    /** Sets {@link LoadOptions#times}. */
    public Builder times(@Nullable WrittenTimes times) {
      this.times = times;
      return this;
    }

    /** Sets {@link LoadOptions#onCollision}. */
    public Builder onCollision(DuplicateKeyPolicy policy) {
      this.onCollision = policy;
      return this;
    }

    /** Sets {@link LoadOptions#maxRejects}. */
    public Builder maxRejects(long records) {
      this.maxRejects = records;
      return this;
    }

    /** Sets {@link LoadOptions#rejectShare}. */
    public Builder rejectShare(double share) {
      this.rejectShare = share;
      return this;
    }

    /** Sets {@link LoadOptions#begin}. */
    public Builder begin(Begin begin) {
      this.begin = begin;
      return this;
    }

    /** Sets {@link LoadOptions#replace}. */
    public Builder replace(boolean replace) {
      this.replace = replace;
      return this;
    }

    /** Sets {@link LoadOptions#writers}. */
    public Builder writers(int writers) {
      this.writers = writers;
      return this;
    }

    /** Sets {@link LoadOptions#checkpointEvery}. */
    public Builder checkpointEvery(Duration interval) {
      this.checkpointEvery = interval;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if a number is out of range, or both files are one
     */
    public LoadOptions build() {
      return new LoadOptions(
          dialect,
          columns,
          family,
          families,
          times,
          onCollision,
          maxRejects,
          rejectShare,
          rejects,
          checkpoint,
          begin,
          replace,
          writers,
          checkpointEvery);
    }
  }
}
