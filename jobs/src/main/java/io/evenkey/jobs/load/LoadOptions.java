package io.evenkey.jobs.load;

import io.evenkey.client.cell.CellColumn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How records are loaded. Immutable.
 *
 * @param columns which columns go where; none means every column, as text
 * @param family the family of columns of which nothing else is said
 * @param onCollision the treatment of records with the same key
 * @param maxRejects how many records may turn out impossible to load before the load stops
 * @param rejects the file that tells of them; one that an earlier run of the same interrupted load
 *     wrote is continued, any other that exists is refused
 * @param checkpoint the file that tells how far the load is; deleted when the load is complete. One
 *     that exists is refused unless it is that of a load into the same table
 * @param restart whether a load that was interrupted is begun again
 * @param resume whether it goes on where it was
 * @param replace whether any file that is in the place of {@code rejects} is replaced
 * @param writers how many batches are written at once
 * @param checkpointEvery how often it is noted how far the load is
 */
public record LoadOptions(
    List<CellColumn> columns,
    String family,
    DuplicateKeyPolicy onCollision,
    long maxRejects,
    Path rejects,
    Path checkpoint,
    boolean restart,
    boolean resume,
    boolean replace,
    int writers,
    Duration checkpointEvery) {
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
}
