/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.json.JobJson;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background job and its progress. Thread-safe.
 *
 * <p>Its name cannot be guessed: any user who knows the name may read its report.
 */
final class Job {
  private static final Logger LOG = LoggerFactory.getLogger(Job.class);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The work of a job. */
  @FunctionalInterface
  interface Work {
    /**
     * Runs the work.
     *
     * @return figures and texts of the result
     */
    Object run(Job job) throws Exception;
  }

  /** The state of a job. */
  enum State {
    WAITING,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  private final String id;
  private final String kind;
  private final String title;
  private final long startNanos = System.nanoTime();
  private State state = State.WAITING;
  private long done;
  private long total;
  private String text = "";
  private Object result = Map.of();
  private @Nullable String report;
  private double seconds;

  Job(String kind, String title) {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    this.id = HexFormat.of().formatHex(bytes);
    this.kind = kind;
    this.title = title;
  }

  String id() {
    return id;
  }

  void run(Work work) {
    if (!begin()) {
      return;
    }
    try {
      end(State.DONE, "", work.run(this));
    } catch (CancellationException e) {
      end(State.CANCELLED, "cancelled", Map.of());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(State.CANCELLED, "cancelled", Map.of());
    } catch (Exception | Error e) {
      // Hadoop throws an error for a full disk: a job that is not ended would run for ever.
      LOG.warn("job failed: {}", title, e);
      end(State.FAILED, Problems.text(e), Map.of());
    }
  }

  private synchronized boolean begin() {
    if (state == State.WAITING) {
      state = State.RUNNING;
    }
    return state == State.RUNNING;
  }

  private synchronized void end(State how, String why, Object with) {
    state = how;
    text = why;
    result = with;
    seconds = elapsed();
  }

  private double elapsed() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /**
   * Reports progress.
   *
   * @throws CancellationException if the job was cancelled
   */
  synchronized void progress(long soFar, long all, String what) {
    if (state == State.CANCELLED) {
      throw new CancellationException();
    }
    done = soFar;
    total = all;
    text = what;
  }

  /** Cancels the job at its next report of progress. */
  synchronized boolean cancel() {
    boolean runs = state == State.WAITING || state == State.RUNNING;
    if (runs) {
      state = State.CANCELLED;
    }
    return runs;
  }

  synchronized void report(String html) {
    report = html;
  }

  synchronized @Nullable String report() {
    return report;
  }

  synchronized boolean isOver() {
    return state != State.WAITING && state != State.RUNNING;
  }

  synchronized JobJson json() {
    return new JobJson(
        id,
        kind,
        title,
        state.name().toLowerCase(Locale.ROOT),
        done,
        total,
        text,
        isOver() ? seconds : elapsed(),
        result,
        report != null);
  }
}
