/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.internal.remedy.Remedy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a load.
 *
 * @param records the number of records that were read
 * @param rows the number of those that were written, by this run and those before it
 * @param rejected the number of those that could not be written
 * @param rejectExamples why some of these could not; empty for a load by files
 * @param collisions the number of those that have the key of a record before them
 * @param examples some of those
 * @param uncertain the number of records that were read when no more keys could be remembered:
 *     among them, only collisions with remembered keys were found
 * @param warnings what looks wrong in the records that were loaded
 * @param resumedAt at which record this run began
 * @param seconds the time of this run
 * @param serverSkew the busiest region server's share over the mean share, second by second, the
 *     mean of it; null if this run read too few records to tell
 */
public record LoadResult(
    long records,
    long rows,
    long rejected,
    List<String> rejectExamples,
    long collisions,
    List<String> examples,
    long uncertain,
    List<String> warnings,
    long resumedAt,
    double seconds,
    @Nullable Double serverSkew) {
  /** With fewer records, chance alone makes some server look busier, as in the advisor. */
  private static final int LEAST_RECORDS = 300;

  /** Copies the lists. */
  public LoadResult {
    rejectExamples = List.copyOf(rejectExamples);
    examples = List.copyOf(examples);
    warnings = List.copyOf(warnings);
    serverSkew = records - resumedAt < LEAST_RECORDS ? null : serverSkew;
  }

  /**
   * Checks that no more records were rejected than may be.
   *
   * @throws LoadException if more were; the others are loaded
   */
  public void check(LoadOptions options) throws LoadException {
    if (rejected > options.allowedRejects(records)) {
      throw new LoadException(
          "more records were rejected than allowed; the others are loaded: rejected="
              + rejected
              + " records="
              + records
              + " allowed="
              + options.allowedRejects(records)
              + " see="
              + options.rejects()
              + "; correct and import them, or "
              + Remedy.ALLOW_REJECTS);
    }
  }

  /** Records of this run in a second. */
  public double recordsPerSecond() {
    return (records - resumedAt) / Math.max(seconds, 1e-3);
  }
}
