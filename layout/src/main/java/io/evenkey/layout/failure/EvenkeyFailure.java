/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception that Evenkey throws itself. Its message is a complete line, {@code rule: name=value;
 * remedy}, which can be shown as it is; exceptions of HBase and of Java are not of this type.
 *
 * <p>Each extends what HBase's client throws for its kind, such as {@link java.io.IOException} or
 * HBase's {@code DoNotRetryIOException}, so code written for HBase handles it unchanged.
 *
 * <pre>{@code
 * try {
 *   table.put(put);
 * } catch (IOException e) {
 *   boolean again = EvenkeyFailure.in(e).map(EvenkeyFailure::isRetriable).orElse(false);
 *   if (!again) {
 *     throw e;
 *   }
 * }
 * }</pre>
 *
 * <p>Region servers and masters reject requests with HBase's own {@code DoNotRetryIOException},
 * also where Evenkey's module decides, since clients without Evenkey could not read another class.
 */
public interface EvenkeyFailure {
  /**
   * The number of causes that {@link #in} follows: enough for every real exception, and an end for
   * one that is its own cause.
   */
  int MOST_CAUSES = 100;

  /** The kind of failure. */
  FailureCode failureCode();

  /** The kind of failure as a word, for logs, alerts and switches; later versions keep it. */
  default String code() {
    return failureCode().word();
  }

  /**
   * The table by the name that the application used; null if the failure concerns no table, or
   * several.
   */
  default @Nullable String table() {
    return null;
  }

  /**
   * Whether the call can succeed later without a change of the call, the table or the settings, and
   * without being made twice.
   */
  default boolean isRetriable() {
    return failureCode().isRetriable();
  }

  /** One line: what was wrong, with names and values, and what to do. */
  String getMessage();

  /**
   * Returns the first failure of Evenkey among an exception and its causes. HBase's client wraps
   * exceptions, so look here and not at the type of what was thrown.
   */
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
