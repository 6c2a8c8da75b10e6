/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a buffer that region servers refused, in their order, until they are written again.
 * Not thread-safe.
 */
public final class RefusedWrites {
  private final Route route;
  private final List<Refused> rows = new ArrayList<>();
  private @Nullable Repeats repeats;

  /** A row, and why it was refused. */
  private record Refused(Row row, Throwable why) {
    /** Whether it is written when it is repeated later, by the same idea of the table. */
    boolean isOfTheMoment() {
      Refusal refusal = Refusal.of(why).orElse(null);
      return refusal == Refusal.FENCED || refusal == Refusal.CHANGED;
    }

    // What servers have refused goes first: the client's own refusals may end with it.
    int rank() {
      if (why instanceof IndexRefusedException) {
        return 0;
      }
      return isOfTheMoment() ? 1 : 2;
    }
  }

  /** None are refused yet. */
  public RefusedWrites(Route route) {
    this.route = route.ofBuffers();
  }

  /**
   * Keeps what was refused.
   *
   * @param again whether each of them can be sent again
   * @param used the generation that was used
   * @return the failures that are none; null if there are no others
   */
  public @Nullable RetriesExhaustedWithDetailsException take(
      RetriesExhaustedWithDetailsException failed, IntPredicate again, Generation used) {
    List<Throwable> causes = new ArrayList<>();
    List<Row> others = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < failed.getNumExceptions(); i++) {
      if (Repeats.isRefusal(failed.getCause(i), used) && again.test(i)) {
        rows.add(new Refused(failed.getRow(i), failed.getCause(i)));
      } else {
        causes.add(inTime(failed.getCause(i)));
        others.add(failed.getRow(i));
        servers.add(failed.getHostnamePort(i));
      }
    }
    return others.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(causes, others, servers);
  }

  // What fails when the time is over was cut short by that.
  private Throwable inTime(Throwable cause) {
    Repeats known = repeats;
    return known == null ? cause : known.limit().late(cause);
  }

  /** Whether all is written. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** All that was refused; nothing is kept. */
  public List<Row> takeAll() {
    List<Row> all = rows.stream().map(Refused::row).toList();
    rows.clear();
    return all;
  }

  /**
   * All that was refused, if it cannot be repeated; nothing is kept.
   *
   * @param why it cannot; of a row that the client itself refuses for an index, that is the reason
   */
  public @Nullable RetriesExhaustedWithDetailsException takeAll(IOException why) {
    List<Refused> all = new ArrayList<>();
    for (Refused each : rows) {
      all.add(each.why() instanceof IndexRefusedException ? each : new Refused(each.row(), why));
    }
    rows.clear();
    return report(all);
  }

  /**
   * What will be refused again, however often it is repeated, each with its own refusal; null if
   * nothing is. The rest is kept.
   *
   * @param found the generation to write to, as {@link #next} has found it
   */
  public @Nullable RetriesExhaustedWithDetailsException takeFinal(Generation found) {
    Repeats known = repeats;
    List<Refused> last = new ArrayList<>();
    if (known != null && known.isFinal(found)) {
      for (Iterator<Refused> left = rows.iterator(); left.hasNext(); ) {
        Refused each = left.next();
        if (!each.isOfTheMoment()) {
          last.add(each);
          left.remove();
        }
      }
    }
    return report(last);
  }

  private static @Nullable RetriesExhaustedWithDetailsException report(List<Refused> all) {
    return all.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(
            all.stream().map(Refused::why).toList(),
            all.stream().map(Refused::row).toList(),
            all.stream().map(each -> "").toList());
  }

  /**
   * Waits as long as is right, and looks the table up if need be.
   *
   * @param limit of the call that writes them
   * @return the generation to write to, unless the refusals are {@linkplain #takeFinal final}
   * @throws IOException if the writes were refused for too long
   */
  public Generation next(Generation used, TimeLimit limit) throws IOException {
    Refused worst = rows.stream().max(Comparator.comparingInt(Refused::rank)).orElse(null);
    if (worst == null) {
      return used;
    }
    Repeats known = repeats == null ? route.repeats(limit) : repeats;
    repeats = known;
    return Futures.get(route.found(known, worst.why(), used));
  }

  /** All that was refused is written. */
  public void done() {
    repeats = null;
  }
}
