package io.evenkey.jobs.move;

import java.time.Duration;
import org.apache.hadoop.fs.Path;

/**
 * How a mover works; what a move is lies in the registry. Immutable.
 *
 * @param work a directory, best on the file system that HBase is on, made if need be: each attempt
 *     at a part of the copy makes its files in a new directory in it. Only those are deleted
 * @param acknowledged how long to wait for clients before nobody is kept waiting any longer
 * @param pause how long to wait before rows that differ are looked at again
 * @param most how many rows may differ before a comparison stops
 */
public record MoveSettings(Path work, Duration acknowledged, Duration pause, int most) {
  /** As is usual. */
  public static MoveSettings in(Path work) {
    return new MoveSettings(work, Duration.ofSeconds(30), Duration.ofMillis(500), 100_000);
  }
}
