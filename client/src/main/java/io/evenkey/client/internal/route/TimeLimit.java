/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.failure.FencedException;
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
record TimeLimit(TableName table, long began, long ms, Late late) {
  /** Makes an exception. */
  @FunctionalInterface
  interface Late {
    IOException of(String message, @Nullable IOException cause);
  }

  /** As HBase's blocking client. */
  static final Late THROWN =
      (message, cause) -> (IOException) new SocketTimeoutException(message).initCause(cause);

  /** As HBase's asynchronous client. */
  static final Late ANSWERED = RetriesExhaustedException::new;

  /** Whether the operation ends by itself at all. */
  boolean isBounded() {
    return ms > 0;
  }

  /** For how much longer it may take, in milliseconds. */
  long leftMs() {
    return isBounded()
        ? Math.max(0, ms - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
        : Long.MAX_VALUE;
  }

  private IOException late(@Nullable String reason, @Nullable IOException cause) {
    String message = "operation timed out: table=" + table + " timeout=" + ms + " ms; " + reason;
    return late.of(message, cause);
  }

  /** The exception of an operation that was refused until now. */
  IOException refused(FencedException refusal) {
    return late(refusal.getMessage(), refusal);
  }

  /** The exception of an operation that was not answered until now. */
  IOException unanswered() {
    return late(
        "the table could not be looked up, or was not answered for, in this time: see its region"
            + " servers and evenkey doctor",
        null);
  }
}
