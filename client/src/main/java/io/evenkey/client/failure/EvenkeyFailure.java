/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * An exception of Evenkey's client, beside those of HBase's. Each extends what HBase's client
 * throws for its kind, such as {@link java.io.IOException} or {@link
 * org.apache.hadoop.hbase.DoNotRetryIOException}, so that code for HBase handles it as it is.
 *
 * <pre>{@code
 * } catch (IOException e) {
 *   EvenkeyFailure.in(e).filter(EvenkeyFailure::isRetriable).ifPresent(f -> requeue(f.table()));
 * }
 * }</pre>
 *
 * <p>Mistakes in the arguments of a call are {@link IllegalArgumentException}s, and calls that a
 * spread table cannot answer {@link UnsupportedOperationException}s, as with HBase's client. A row,
 * value or condition that a layout refuses is an {@link io.evenkey.layout.text.LayoutException}.
 */
public interface EvenkeyFailure {
  /** More causes than anything has: what is its own cause would go on for ever. */
  int MOST_CAUSES = 100;

  /**
   * The kind of failure, for logs, alerts and switches: a word that later versions keep. {@code
   * docs/api.md} has all of them.
   */
  String code();

  /** The table that the application named, or null if the failure is of no one table. */
  @Nullable TableName table();

  /**
   * Whether the same call can succeed later, without a change of the call, the table or the
   * settings, and without doing its work twice.
   */
  boolean isRetriable();

  /** The message, as of every exception. */
  String getMessage();

  /** The first of these among an exception and its causes. */
  static Optional<EvenkeyFailure> in(Throwable exception) {
    Throwable cause = exception;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      if (cause instanceof EvenkeyFailure failure) {
        return Optional.of(failure);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }
}
