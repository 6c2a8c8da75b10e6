/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import io.evenkey.client.internal.request.RequestSettings;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.jspecify.annotations.Nullable;

/**
 * The number of times that HBase's client has sent an increment or append: it repeats a request
 * that was not answered without saying so. HBase reads the attributes of a mutation once for each
 * request that it builds, which is what is counted. Thread-safe.
 */
public final class Attempts {
  private final AtomicInteger made = new AtomicInteger();

  /**
   * An action whose attempts are counted.
   *
   * @param action the same as the caller's, or a copy that counts
   * @param attempts null if the action may be made twice
   */
  public record Counted(Row action, @Nullable Attempts attempts) {}

  /** A copy that counts, of an action that must not be made twice; else the action itself. */
  public static Counted of(Row action) throws IOException {
    if (!mustBeMadeOnce(action)) {
      return new Counted(action, null);
    }
    Attempts attempts = new Attempts();
    return new Counted(attempts.copy(action), attempts);
  }

  /** Whether an action holds an increment or an append. */
  public static boolean mustBeMadeOnce(Row action) {
    if (action instanceof CheckAndMutate check) {
      return mustBeMadeOnce(check.getAction());
    } else if (action instanceof RowMutations mutations) {
      for (Mutation mutation : mutations.getMutations()) {
        if (mustBeMadeOnce((Row) mutation)) {
          return true;
        }
      }
      return false;
    }
    return action instanceof Increment || action instanceof Append;
  }

  /**
   * Whether an action that was refused can be sent again: it may be made twice, or it is counted
   * and was not sent more than once, so that no earlier request can have made it.
   *
   * @param sent the object that HBase's client was given
   */
  public static boolean canBeSentAgain(Row sent) {
    if (!mustBeMadeOnce(sent)) {
      return true;
    }
    Attempts counted =
        sent instanceof CountedIncrement increment
            ? increment.attempts()
            : sent instanceof CountedAppend append ? append.attempts() : null;
    return counted != null && counted.made.get() <= 1;
  }

  private Row copy(Row action) throws IOException {
    if (action instanceof Increment increment) {
      return RequestCopy.increment(increment, increment.getRow(), this);
    } else if (action instanceof Append append) {
      return RequestCopy.append(append, append.getRow(), this);
    } else if (action instanceof RowMutations mutations) {
      RowMutations all = new RowMutations(mutations.getRow());
      boolean counted = false;
      for (Mutation mutation : mutations.getMutations()) {
        // They are sent together: one of them counts.
        boolean counts = !counted && mustBeMadeOnce((Row) mutation);
        all.add(counts ? (Mutation) copy((Row) mutation) : mutation);
        counted |= counts;
      }
      return all;
    } else if (action instanceof CheckAndMutate check) {
      return RequestSettings.check(
          check, check.getRow(), check.getFilter(), copy(check.getAction()));
    }
    return action;
  }

  void add() {
    made.incrementAndGet();
  }

  /** Nothing of what was counted so far was sent. */
  void reset() {
    made.set(0);
  }

  /** The number of times that it was sent since the last call. */
  public int takeMade() {
    return made.getAndSet(0);
  }
}
