/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why the guard refused a request: a word in the message of the exception, since its class may be
 * unknown to the client, as in {@code … [evenkey:fenced]}.
 */
public enum Refusal {
  /** Writes pause for a moment. */
  FENCED,
  /** The table is another generation now. */
  CLOSED,
  /** The request was made by another layout than the table's, or the table has none. */
  LAYOUT,
  /** The table has a layout, and the request names none. */
  UNSTAMPED,
  /** The request is of a run of a migration that another run has taken over. */
  TURN,
  /** A bulk load into a table that is being migrated. */
  MIGRATING,
  /** A write by an application to the table of an index. */
  ENTRIES,
  /** Another client changed the row between the read of its indexed columns and the write. */
  CHANGED,
  /** Not a refusal: a question in a Put is answered, the {@link GuardAnswer} is in Base64. */
  ANSWER;

  private static final String BEGIN = "[evenkey:";

  private static final Pattern REVISION = Pattern.compile(" revision=([0-9]{1,18})");

  /** The word for the end of a message. */
  public String mark() {
    return BEGIN + name().toLowerCase(Locale.ROOT) + "]";
  }

  /** The message that answers a question in a Put. */
  public static String answer(GuardAnswer answer) {
    return "question answered "
        + ANSWER.mark()
        + Base64.getEncoder().encodeToString(answer.toBytes())
        + "]";
  }

  /** The refusal that an exception or one of its causes names. */
  public static Optional<Refusal> of(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<Refusal> named = in(cause.getMessage());
      if (named.isPresent()) {
        return named;
      }
    }
    return Optional.empty();
  }

  /**
   * The revision of the table's state by which a region has refused a layout, as far as the failure
   * or one of its causes names it.
   */
  public static OptionalLong revision(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      int mark = message == null ? -1 : message.indexOf(LAYOUT.mark());
      if (message != null && mark >= 0) {
        Matcher found = REVISION.matcher(message.substring(0, mark));
        OptionalLong last = OptionalLong.empty();
        while (found.find()) {
          last = OptionalLong.of(Long.parseLong(found.group(1)));
        }
        return last;
      }
    }
    return OptionalLong.empty();
  }

  /** The text by which {@link #revision} finds it in a message. */
  public static String revisionText(long revision) {
    return "revision=" + revision;
  }

  /** The refusal that a message names. */
  public static Optional<Refusal> in(@Nullable String message) {
    if (message != null && message.contains(BEGIN)) {
      for (Refusal refusal : values()) {
        if (message.contains(refusal.mark())) {
          return Optional.of(refusal);
        }
      }
    }
    return Optional.empty();
  }

  /** The answer in a message made by {@link #answer}. */
  public static Optional<GuardAnswer> answerIn(@Nullable String message) {
    int mark = message == null ? -1 : message.indexOf(ANSWER.mark());
    if (message == null || mark < 0) {
      return Optional.empty();
    }
    int begin = mark + ANSWER.mark().length();
    int end = message.indexOf(']', begin);
    byte[] text =
        message.substring(begin, end < 0 ? message.length() : end).getBytes(StandardCharsets.UTF_8);
    return Optional.of(GuardAnswer.parse(Base64.getDecoder().decode(text)));
  }
}
