/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception that Evenkey throws itself. Its message is a complete line, {@code rule: name=value;
 * remedy}, which can be shown as it is; exceptions of HBase and of Java are not of this type.
 *
 * <p>Each extends what HBase's client throws for its kind, such as {@link java.io.IOException} or
 * HBase's {@code DoNotRetryIOException}, so that code for HBase handles it as it is.
 *
 * <pre>{@code
 * } catch (IOException e) {
 *   EvenkeyFailure.in(e).filter(EvenkeyFailure::isRetriable).ifPresent(f -> requeue(f.table()));
 * }
 * }</pre>
 *
 * <p>Region servers and masters reject requests with HBase's own {@code DoNotRetryIOException},
 * also where Evenkey's module decides, since clients without Evenkey could not read another class.
 */
public interface EvenkeyFailure {
  /** More causes than anything has: what is its own cause would go on for ever. */
  int MOST_CAUSES = 100;

  /**
   * The kind of failure, for logs, alerts and switches: one of {@link FailureCode}'s words, which
   * later versions keep.
   */
  String code();

  /** The name of the table that the application named, or null if the failure names no table. */
  @Nullable String table();

  /**
   * Whether the same call can succeed later, without a change of the call, the table or the
   * settings, and without doing its work twice.
   */
  boolean isRetriable();

  /** The message, as of every exception. */
  String getMessage();

  /** Finds the first of these among an exception and its causes. */
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
