/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

/**
 * The seeds of a test's schedules, one for each. {@code -Devenkey.schedules=N} for how many, {@code
 * -Devenkey.seed=N} for the first; {@code -Devenkey.schedules=1 -Devenkey.seed=THAT} repeats one
 * that failed.
 */
public record Seeds(long first, int count) {
  private static final String COUNT = "evenkey.schedules";
  private static final String FIRST = "evenkey.seed";

  /** A schedule. */
  @FunctionalInterface
  public interface Schedule {
    void run(long seed) throws Exception;
  }

  /**
   * The seeds that the properties name.
   *
   * @param first the first one, unless a property says another
   * @param usual their number, unless a property or the profile {@code deep} says another
   * @param deep their number with that profile
   */
  public static Seeds of(long first, int usual, int deep) {
    return new Seeds(
        Long.getLong(FIRST, first),
        Integer.getInteger(COUNT, Boolean.getBoolean("evenkey.deep") ? deep : usual));
  }

  /** Whether no property says others: then a test knows what its schedules have to reach. */
  public boolean areUsual() {
    return System.getProperty(COUNT) == null && System.getProperty(FIRST) == null;
  }

  /** Runs a schedule for each, until one fails. */
  public void each(Schedule schedule) {
    for (int i = 0; i < count; i++) {
      try {
        schedule.run(first + i);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + (first + i), e);
      }
    }
  }
}
