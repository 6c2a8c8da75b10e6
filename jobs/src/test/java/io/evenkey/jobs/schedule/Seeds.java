/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The seeds of a test's schedules, one for each. {@code -Devenkey.schedules=N} for how many, {@code
 * -Devenkey.seed=N} for the first; {@code -Devenkey.schedules=1 -Devenkey.seed=THAT} repeats one
 * that failed.
 */
public record Seeds(long first, int count) {
  private static final String COUNT = "evenkey.schedules";
  private static final String FIRST = "evenkey.seed";
  private static final String AT_ONCE = "evenkey.at.once";

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
      run(first + i, schedule);
    }
  }

  /**
   * The same, several at a time: {@code -Devenkey.at.once=N}, one if the property is not set. When
   * one fails, those that are under way are interrupted.
   */
  public void eachAtOnce(Schedule schedule) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(Integer.getInteger(AT_ONCE, 1));
    try {
      CompletionService<Long> ended = new ExecutorCompletionService<>(threads);
      for (int i = 0; i < count; i++) {
        long seed = first + i;
        Future<Long> unused =
            ended.submit(
                () -> {
                  run(seed, schedule);
                  return seed;
                });
      }
      for (int i = 0; i < count; i++) {
        ended.take().get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static void run(long seed, Schedule schedule) {
    try {
      schedule.run(seed);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
