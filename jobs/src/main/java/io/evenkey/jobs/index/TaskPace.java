/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.jobs.mapreduce.TableJob;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * The pace of a job that fills an index, which its tasks share. In this process they share it
 * itself: one that runs alone has all of it. On YARN, where tasks do not see each other, each has
 * the share of those that run at once.
 *
 * @param rowsPerSecond of all tasks; 0 for no limit
 * @param job differs from that of other jobs
 */
record TaskPace(long rowsPerSecond, String job) {
  /** Tasks that run at once, if there is a pace. */
  static final int TASKS = 4;

  private static final String PACE = "evenkey.index.rows.per.second";
  private static final String JOB = "evenkey.index.paced.job";

  private static final Map<String, RowPace> SHARED = new ConcurrentHashMap<>();

  /** Gives it to a job. */
  void addTo(Configuration configuration) {
    configuration.setLong(PACE, rowsPerSecond);
    configuration.set(JOB, job);
    if (rowsPerSecond > 0) {
      configuration.setInt("mapreduce.local.map.tasks.maximum", TASKS);
      configuration.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, TASKS);
    }
  }

  /** Returns the pace of a task. */
  static RowPace in(Configuration configuration) {
    long rowsPerSecond = configuration.getLong(PACE, 0);
    if (rowsPerSecond == 0) {
      return new RowPace(0);
    }
    if (TableJob.isLocal(configuration)) {
      return SHARED.computeIfAbsent(configuration.get(JOB, ""), job -> new RowPace(rowsPerSecond));
    }
    int tasks = Math.min(TASKS, configuration.getInt(MRJobConfig.NUM_MAPS, 1));
    return new RowPace((double) rowsPerSecond / Math.max(1, tasks));
  }

  /** The job is over. */
  static void forget(String job) {
    SHARED.remove(job);
  }
}
