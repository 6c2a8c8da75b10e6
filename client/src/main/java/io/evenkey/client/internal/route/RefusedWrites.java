/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.internal.row.Attempts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a buffer that region servers refused, in their order, until they are written again.
 * Not thread-safe.
 */
public final class RefusedWrites {
  private final Route route;
  private final List<Row> rows = new ArrayList<>();
  private @Nullable Throwable why;
  private @Nullable Repeats repeats;

  /** None are refused yet. */
  public RefusedWrites(Route route) {
    this.route = route;
  }

  /**
   * Keeps what was refused.
   *
   * @param used the generation that was used
   * @return the failures that are none; null if there are no others
   */
  public @Nullable RetriesExhaustedWithDetailsException take(
      RetriesExhaustedWithDetailsException failed, Generation used) {
    List<Throwable> causes = new ArrayList<>();
    List<Row> others = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < failed.getNumExceptions(); i++) {
      // HBase's buffer does not say how often it has sent an increment.
      boolean again =
          Repeats.isRefusal(failed.getCause(i), used) && !Attempts.mustBeMadeOnce(failed.getRow(i));
      if (again) {
        rows.add(failed.getRow(i));
        why = failed.getCause(i);
      } else {
        causes.add(failed.getCause(i));
        others.add(failed.getRow(i));
        servers.add(failed.getHostnamePort(i));
      }
    }
    return others.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(causes, others, servers);
  }

  /** Whether all is written. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** All that was refused; nothing is kept. */
  public List<Row> takeAll() {
    List<Row> all = List.copyOf(rows);
    rows.clear();
    return all;
  }

  /**
   * Waits as long as is right, and looks the table up if need be.
   *
   * @return the generation to write to
   * @throws IOException if the writes were refused for too long
   */
  public Generation next(Generation used) throws IOException {
    Throwable failure = why;
    if (failure == null) {
      return used;
    }
    Repeats known = repeats == null ? route.repeats() : repeats;
    repeats = known;
    Route.pause(known.pauseMs(failure, used, route.finder()));
    Generation now = route.call(generation -> generation);
    if (known.isFinal(now)) {
      throw Repeats.thrown(failure);
    }
    return now;
  }

  /** All that was refused is written. */
  public void done() {
    repeats = null;
    why = null;
  }
}
