/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.report.json.JobJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Background jobs: runs two at a time, and keeps the last ones. Thread-safe. */
final class Jobs implements AutoCloseable {
  private static final int AT_ONCE = 2;
  private static final int MOST_WAITING = 10;
  private static final int REMEMBERED = 50;

  private final ExecutorService workers =
      Executors.newFixedThreadPool(AT_ONCE, PortalThreads.named("evenkey-job"));
  private final Map<String, Job> jobs = new LinkedHashMap<>();

  /**
   * Submits a job, which starts as soon as a worker is free.
   *
   * @throws IllegalArgumentException if too many jobs are unfinished
   */
  Job begin(String kind, String title, Job.Work work) {
    UserGroupInformation asker = asker();
    Job job = new Job(kind, title);
    synchronized (this) {
      long unfinished = jobs.values().stream().filter(j -> !j.isOver()).count();
      if (unfinished >= AT_ONCE + MOST_WAITING) {
        throw new EvenkeyArgumentException(
            "too many jobs: unfinished=" + unfinished + "; wait for one, or cancel one");
      }
      jobs.put(job.id(), job);
      jobs.values().removeIf(old -> jobs.size() > REMEMBERED && old.isOver());
    }
    workers.execute(() -> asker.doAs(as(job, work)));
    return job;
  }

  // HDFS and YARN see the user who started the job, as HBase does.
  private static UserGroupInformation asker() {
    try {
      return UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new UncheckedIOException("user of this process is not known", e);
    }
  }

  private static PrivilegedAction<Void> as(Job job, Job.Work work) {
    return () -> {
      job.run(work);
      return null;
    };
  }

  synchronized @Nullable Job get(String id) {
    return jobs.get(id);
  }

  /** All kept jobs, the newest first. */
  synchronized List<JobJson> json() {
    List<JobJson> all = new ArrayList<>();
    for (Job job : jobs.values()) {
      all.add(0, job.json());
    }
    return all;
  }

  @Override
  public void close() {
    synchronized (this) {
      jobs.values().forEach(Job::cancel);
    }
    workers.shutdownNow();
  }
}
