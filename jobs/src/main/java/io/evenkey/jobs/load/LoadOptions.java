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
 * @param onCollision what is done about records with the same key
 * @param maxRejects how many records may turn out impossible to load before the load stops
 * @param rejects the file that tells of them
 * @param checkpoint the file that tells how far the load is
 * @param restart whether a load that was interrupted is begun again
 * @param resume whether it goes on where it was
 * @param writers how many batches are written at once
 * @param checkpointEvery how often it is noted how far the load is
 */
public record LoadOptions(
    List<CellColumn> columns,
    String family,
    OnCollision onCollision,
    long maxRejects,
    Path rejects,
    Path checkpoint,
    boolean restart,
    boolean resume,
    int writers,
    Duration checkpointEvery) {
  /** Copies the list and checks the numbers. */
  public LoadOptions {
    columns = List.copyOf(columns);
    if (maxRejects < 0 || writers < 1) {
      throw new IllegalArgumentException(
          "load option out of range: maxRejects=" + maxRejects + " writers=" + writers);
    }
  }
}
