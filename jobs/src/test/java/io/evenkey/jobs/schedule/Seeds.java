/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.util.StringUtils;

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
      try {
        schedule.run(first + i);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + (first + i), e);
      }
    }
  }

  /**
   * Runs all of them, several at a time: {@code -Devenkey.at.once=N}. One that fails prints why,
   * and the others are run all the same.
   *
   * @param usual how many at a time, unless the property says another number
   * @throws AssertionError if one or more have failed
   */
  public void eachAtOnce(int usual, Schedule schedule) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(Integer.getInteger(AT_ONCE, usual));
    Collection<String> failures = new ConcurrentLinkedQueue<>();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long seed = first + i;
        all.add(
            threads.submit(
                () -> {
                  try {
                    schedule.run(seed);
                  } catch (Exception | AssertionError e) {
                    String failure = "seed " + seed + ": " + StringUtils.stringifyException(e);
                    System.out.println(failure);
                    failures.add(failure);
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(failures).isEmpty();
  }
}
