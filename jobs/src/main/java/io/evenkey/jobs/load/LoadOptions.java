package io.evenkey.jobs.load;

import io.evenkey.client.cell.CellColumn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of a load. Immutable.
 *
 * <pre>{@code
 * LoadOptions.of(rejects, checkpoint).withFamily("d").withMaxRejects(100).begin(Begin.RESUME)
 * }</pre>
 *
 * @param columns the cells that columns of the records become; empty for every column, as text
 * @param family the family of columns for which {@code columns} names no other
 * @param onCollision the treatment of records with the same key
 * @param maxRejects the number of rejected records after which the load stops
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
    List<CellColumn> columns,
    String family,
    DuplicateKeyPolicy onCollision,
    long maxRejects,
    Path rejects,
    Path checkpoint,
    Begin begin,
    boolean replace,
    int writers,
    Duration checkpointEvery) {
  private static final int USUAL_WRITERS = 4;

  /** The treatment of a checkpoint of an interrupted load. */
  public enum Begin {
    /** A checkpoint is refused. */
    FRESH,
    /** The load continues behind its checkpoint. */
    RESUME,
    /** The load begins with the first record. */
    RESTART
  }

  /** Copies the list and checks the numbers and paths. */
  public LoadOptions {
    columns = List.copyOf(columns);
    if (maxRejects < 0 || writers < 1) {
      throw new IllegalArgumentException(
          "load option out of range: maxRejects=" + maxRejects + " writers=" + writers);
    }
    if (rejects.toAbsolutePath().normalize().equals(checkpoint.toAbsolutePath().normalize())) {
      throw new IllegalArgumentException(
          "one file for rejects and checkpoint: path=" + rejects + "; name two");
    }
  }

  /** Every column as text in family {@code d}; no rejects, duplicate keys reported. */
  public static LoadOptions of(Path rejects, Path checkpoint) {
    return new LoadOptions(
        List.of(),
        "d",
        DuplicateKeyPolicy.REPORT,
        0,
        rejects,
        checkpoint,
        Begin.FRESH,
        false,
        USUAL_WRITERS,
        Duration.ofSeconds(1));
  }

  /** The same with other columns. */
  public LoadOptions withColumns(List<CellColumn> columns) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another family. */
  public LoadOptions withFamily(String family) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another treatment of duplicate keys. */
  public LoadOptions onCollision(DuplicateKeyPolicy onCollision) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another limit of rejected records. */
  public LoadOptions withMaxRejects(long maxRejects) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another treatment of a checkpoint. */
  public LoadOptions begin(Begin begin) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another treatment of an existing file of rejects. */
  public LoadOptions replace(boolean replace) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another number of writers. */
  public LoadOptions withWriters(int writers) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }

  /** The same with another interval of checkpoints. */
  public LoadOptions withCheckpointEvery(Duration checkpointEvery) {
    return new LoadOptions(
        columns,
        family,
        onCollision,
        maxRejects,
        rejects,
        checkpoint,
        begin,
        replace,
        writers,
        checkpointEvery);
  }
}
