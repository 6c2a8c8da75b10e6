package io.evenkey.jobs.load;

import java.util.List;

/**
 * The result of a load.
 *
 * @param records how many records were read
 * @param rows how many of them were written, by this run and those before it
 * @param rejected how many could not be
 * @param collisions how many have the key of a record before them
 * @param examples some of these
 * @param uncertain how many records were read when no more keys could be remembered: among them,
 *     only collisions with remembered keys were found
 * @param resumedAt at which record this run began
 * @param seconds how long this run took
 * @param serverSkew the busiest region server's share over the mean share, second by second, the
 *     mean of it
 */
public record LoadResult(
    long records,
    long rows,
    long rejected,
    long collisions,
    List<String> examples,
    long uncertain,
    long resumedAt,
    double seconds,
    double serverSkew) {
  /** Copies the list. */
  public LoadResult {
    examples = List.copyOf(examples);
  }

  /** Records of this run in a second. */
  public double recordsPerSecond() {
    return (records - resumedAt) / Math.max(seconds, 1e-3);
  }
}
