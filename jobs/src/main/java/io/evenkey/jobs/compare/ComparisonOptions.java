package io.evenkey.jobs.compare;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * How two tables are compared. Immutable.
 *
 * @param checkpoint the file that tells how far the comparison is; null for none
 * @param resume whether to go on where one was interrupted
 * @param checkpointEvery how often it is noted how far the comparison is
 * @param pause how long to wait before rows that differ are looked at again: writes may be under
 *     way
 * @param looks how often they are looked at again before they are called different
 * @param most how many rows may differ before the comparison stops
 * @param scan what is compared of each row: families, columns, time range; all versions of it
 */
public record ComparisonOptions(
    @Nullable Path checkpoint,
    boolean resume,
    Duration checkpointEvery,
    Duration pause,
    int looks,
    int most,
    Scan scan) {
  /** Checks the numbers. */
  public ComparisonOptions {
    if (pause.isNegative() || looks < 1 || most < 1) {
      throw new IllegalArgumentException(
          "comparison out of range: pause=" + pause + " looks=" + looks + " most=" + most);
    }
  }
}
