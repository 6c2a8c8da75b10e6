/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.failure.FencedException;
import io.evenkey.client.failure.OutcomeUnknownException;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.row.Attempts;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when one operation that region servers refuse is repeated. The first time, it is
 * repeated at once if the client only has to look the table up; then after pauses of random length,
 * which grow to 50 ms. Those of buffers grow to a second while a migration pauses writes, since
 * each repetition of a buffer sends all of it. Not thread-safe.
 */
final class Repeats {
  /** Configuration key: how long an operation waits for a migration, in milliseconds. */
  static final String SETTING = Setting.MIGRATION_WAIT.key();

  private static final int SHORTEST_MS = 5;

  /** The longest pause of a single operation. */
  static final int LONGEST_MS = 50;

  /** The longest pause of a buffer. */
  static final int LONGEST_OF_BUFFER_MS = 1_000;

  /** The remaining time below which an operation is no longer repeated. */
  private static final int IN_VAIN_MS = 5;

  /** A lookup that other calls had begun before the first refusal may have answered the first. */
  private static final int CONCLUSIVE = 2;

  private final TableName table;
  private final TimeLimit limit;
  private final Duration patience;
  private final int longestMs;
  private final long since = System.nanoTime();
  private int pauses;
  private int changes;
  private boolean looked;
  private @Nullable Generation refused;
  // By how many like generations in sequence, each of which would refuse the operation again.
  private int conclusive;
  private OptionalLong revision = OptionalLong.empty();

  /**
   * Of an operation that was just refused.
   *
   * @param limit of the whole operation
   * @param patience for how long it is repeated
   * @param longestMs the longest pause
   */
  Repeats(TimeLimit limit, Duration patience, int longestMs) {
    this.table = limit.table();
    this.limit = limit;
    this.patience = patience;
    this.longestMs = longestMs;
  }

  private long leftMs() {
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    return Math.min(limit.leftMs(), Math.max(0, patience.toMillis() - passed));
  }

  /** For how long the operation may wait. */
  TimeLimit limit() {
    return limit;
  }

  static Duration patience(Configuration configuration) {
    return Duration.ofMillis(Setting.MIGRATION_WAIT.number(configuration));
  }

  /**
   * Whether a failure is the refusal of a request that another look at the table may repair.
   *
   * @param used the generation that was used; null if none was found
   */
  static boolean isRefusal(@Nullable Throwable failure, @Nullable Generation used) {
    return isRefusal(failure) || isGone(failure, used);
  }

  private static boolean isRefusal(@Nullable Throwable failure) {
    return Refusal.of(failure).filter(Repeats::isRepeated).isPresent();
  }

  // A migration that this client has not noticed has left the generation, and disabled or dropped
  // it.
  private static boolean isGone(@Nullable Throwable failure, @Nullable Generation used) {
    if (used == null) {
      return false;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TableNotFoundException || cause instanceof TableNotEnabledException) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRepeated(Refusal refusal) {
    return switch (refusal) {
      case FENCED, CLOSED, LAYOUT, UNSTAMPED, CHANGED -> true;
      case TURN, MIGRATING, ENTRIES, ANSWER -> false;
    };
  }

  /**
   * After a failure: forgets an outdated generation, and says how long to wait before the operation
   * is repeated.
   *
   * @param used the generation that was used; null if none was found
   * @return milliseconds
   * @throws IOException the failure itself if it is not repeated
   */
  long pauseMs(Throwable failure, @Nullable Generation used, GenerationFinder finder)
      throws IOException {
    if (!isRefusal(failure, used)) {
      throw thrown(failure);
    }
    Refusal refusal = Refusal.of(failure).orElse(null);
    if (leftMs() < IN_VAIN_MS) {
      FencedException refused = tooLong(failure, refusal);
      throw limit.leftMs() < IN_VAIN_MS ? limit.refused(refused) : refused;
    }
    if (refusal == Refusal.CHANGED) {
      // The row is read again; the generation is right.
      forgetRefused();
      return changes++ == 0 ? 0 : pause(LONGEST_MS);
    }
    if (refusal == Refusal.FENCED || used == null) {
      forgetRefused();
      return pause(used == null ? LONGEST_MS : longestMs);
    }
    boolean again = refused != null && used.isLike(refused);
    conclusive = refusal == Refusal.CLOSED ? 0 : again ? conclusive + 1 : 1;
    refused = used;
    revision = Refusal.revision(failure);
    finder.outdated(used, revision);
    if (looked) {
      // Not long: while the table changes on, the generation that is found is soon another one.
      return pause(LONGEST_MS);
    }
    looked = true;
    return 0;
  }

  private void forgetRefused() {
    refused = null;
    conclusive = 0;
  }

  private FencedException tooLong(Throwable failure, @Nullable Refusal refusal) {
    boolean changed = refusal == Refusal.CHANGED;
    String values =
        "table="
            + table
            + " waited="
            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)
            + " ms reason="
            + failure.getMessage()
            + "; ";
    return new FencedException(
        table,
        changed
            ? "other clients kept changing the row, and region servers rejected the operation for"
                + " too long: "
                + values
                + "repeat the operation when fewer clients write the row"
            : "the table's layout or indexes are being changed, and region servers rejected the"
                + " operation for too long: "
                + values
                + Remedy.SHOW_MIGRATION
                + " or "
                + Remedy.LIST_INDEXES
                + ", then repeat the operation",
        failure);
  }

  /**
   * Whether the latest refusal is the operation's answer: generations that were found one after the
   * other have refused it for their layout, or were not there, and the one found since is like
   * them. It is not while the region that refused acts by another revision of the table's state
   * than the region that was asked: one of them is about to follow.
   *
   * @param found the generation to repeat the operation on
   */
  boolean isFinal(Generation found) {
    boolean following =
        found.revision() != Generation.UNKNOWN
            && revision.isPresent()
            && revision.getAsLong() != found.revision();
    return conclusive >= CONCLUSIVE && !following && refused != null && found.isLike(refused);
  }

  /**
   * Fails if an earlier attempt of the refused operation may have been made.
   *
   * @param table the table, as applications call it
   * @param attempts null for operations that may be made twice
   * @param used the generation that was used; null if none was found
   */
  static void checkOnce(
      TableName table, @Nullable Attempts attempts, Throwable failure, @Nullable Generation used)
      throws IOException {
    if (attempts != null && attempts.takeMade() > 1 && isRefusal(failure, used)) {
      throw new OutcomeUnknownException(
          table,
          "increment or append of unknown outcome: table="
              + table
              + "; an earlier attempt was not answered, and the table has changed its generation"
              + " since: read the row before you repeat it",
          failure);
    }
  }

  private long pause(int longest) {
    int most = Math.min(longest, SHORTEST_MS << Math.min(pauses++, 8));
    // Chance, which parts clients that were refused together, must not make long pauses short ones.
    int least = most > LONGEST_MS ? most / 2 : SHORTEST_MS;
    long next = ThreadLocalRandom.current().nextInt(least, most + 1);
    return Math.max(0, Math.min(leftMs() - IN_VAIN_MS, next));
  }

  static IOException thrown(Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof IOException known ? known : new IOException(failure);
  }
}
