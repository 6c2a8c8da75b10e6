/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import java.util.List;

/**
 * A job of the portal as JSON. Immutable.
 *
 * @param done how much of {@code total} is done
 * @param total 0 if it is not known
 * @param text what is counted, or why the job failed
 * @param result a document by the kind of the job; empty until it is done
 * @param report whether the job has a report
 */
public record JobJson(
    String id,
    String kind,
    String title,
    String state,
    long done,
    long total,
    String text,
    double seconds,
    Object result,
    boolean report) {
  /** The jobs of a portal, the newest first. */
  public record Jobs(List<JobJson> jobs) {
    /** Copies the list. */
    public Jobs {
      jobs = List.copyOf(jobs);
    }
  }

  /** The answer to a request to cancel a job: false if the job had ended before. */
  public record CancelledJob(boolean cancelled) {}

  /** The name by which jobs know a file that was sent to a portal. */
  public record UploadedFile(String upload) {}
}
