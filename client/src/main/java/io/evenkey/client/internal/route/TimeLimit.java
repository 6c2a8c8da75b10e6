/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.failure.FencedException;
import io.evenkey.client.internal.remedy.Remedy;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.jspecify.annotations.Nullable;

/**
 * For how long one operation may take, as HBase's settings say. Immutable.
 *
 * @param began when the operation began, by {@link System#nanoTime}
 * @param ms the timeout of the operation; as in HBase, 0 or less for none
 * @param late makes the exception that HBase's client has for an operation that takes too long
 */
public record TimeLimit(TableName table, long began, long ms, Late late) {
  /** Makes an exception. */
  @FunctionalInterface
  public interface Late {
    IOException of(String message, @Nullable IOException cause);
  }

  /** HBase's client does not repeat a request in the last milliseconds. */
  private static final int LAST_MS = 5;

  private static final String LATE = "operation timed out: table=";

  /** As HBase's blocking client. */
  static final Late THROWN =
      (message, cause) -> (IOException) new SocketTimeoutException(message).initCause(cause);

  /** As HBase's asynchronous client. */
  static final Late ANSWERED = RetriesExhaustedException::new;

  /** No limit, of an operation on a table. */
  public static TimeLimit none(TableName table) {
    return new TimeLimit(table, 0, 0, THROWN);
  }

  /** Whether the operation ends by itself at all. */
  public boolean isBounded() {
    return ms > 0;
  }

  /** For how much longer it may take, in milliseconds. */
  public long leftMs() {
    return isBounded() ? Math.max(0, ms - passedMs()) : Long.MAX_VALUE;
  }

  /** Whether the operation has just begun, so that its next request may have all of the time. */
  public boolean isWhole() {
    return !isBounded() || passedMs() == 0;
  }

  /**
   * The timeout of the operation's next request, in milliseconds.
   *
   * @throws IOException if the time is over
   */
  public int nextMs() throws IOException {
    long left = leftMs();
    if (left == 0) {
      throw unanswered();
    }
    return (int) Math.min(Integer.MAX_VALUE, left);
  }

  private long passedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  /**
   * Why a repeated request has failed: if the time is over, that it was cut short.
   *
   * @param failure as HBase has it
   */
  public Throwable late(Throwable failure) {
    String message = failure.getMessage();
    boolean isSaid = message != null && message.startsWith(LATE);
    return leftMs() > LAST_MS || isSaid
        ? failure
        : late(
            "its last request was not answered in this time: see the table's region servers",
            failure instanceof IOException known ? known : new IOException(failure));
  }

  private IOException late(@Nullable String reason, @Nullable IOException cause) {
    String message = LATE + table + " timeout=" + ms + " ms; " + reason;
    return late.of(message, cause);
  }

  /** The exception of an operation that was refused until now. */
  IOException refused(FencedException refusal) {
    return late(refusal.getMessage(), refusal);
  }

  /** The exception of an operation that was not answered until now. */
  public IOException unanswered() {
    return late(
        "in this time, the table could not be looked up, or its region servers did not answer: see"
            + " the region servers, and "
            + Remedy.CHECK_CLUSTER,
        null);
  }
}
