package io.evenkey.jobs.move;

import org.apache.hadoop.fs.Path;

/**
 * How a mover works; what a move is lies in the registry. Immutable.
 *
 * @param work a directory, best on the file system that HBase is on, made if need be: each attempt
 *     at a part of the copy makes its files in a new directory in it. Only those are deleted
 * @param most how many rows may differ before a comparison stops
 */
public record MoveSettings(Path work, int most) {
  /** As is usual. */
  public static MoveSettings in(Path work) {
    return new MoveSettings(work, 1_000_000);
  }
}
