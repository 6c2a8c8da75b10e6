/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.history.Found;
import io.evenkey.jobs.schedule.Milliseconds;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.Delete;

/** A client that reads orders on a replication peer, and writes there after a takeover. */
final class PeerApplication {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Of its own orders, before {@link KeyChangeTraffic#BEYOND}. */
  private static final long FIRST_ID = 10_000;

  private final Arrivals arrivals;
  private final SplittableRandom random;
  private final AtomicLong writes = new AtomicLong();
  private volatile boolean writesToo;
  private long values;

  /**
   * @param arrivals what the source's clients write
   */
  PeerApplication(Arrivals arrivals, SplittableRandom random) {
    this.arrivals = arrivals;
    this.random = random;
  }

  /** From now on, it writes, too. */
  void write() {
    writesToo = true;
  }

  void awaitWrites(KeyChangeTraffic client, int more) {
    long before = writes.get();
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              client.writes();
              return writes.get() > before + more;
            });
  }

  /** One read, and one write. Called by one thread. */
  void readAndWrite(SpreadTable table) throws IOException {
    List<Found> rows = KeyChangeTraffic.found(table);
    arrivals.check(rows);
    if (writesToo) {
      change(table, rows);
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private void change(SpreadTable table, List<Found> rows) throws IOException {
    values++;
    boolean isNew = rows.isEmpty() || random.nextInt(4) == 0;
    Found row =
        isNew
            ? new Found("" + (FIRST_ID + values), "a" + values)
            : rows.get(random.nextInt(rows.size()));
    boolean isByCustomer = KeyChangeTraffic.isByCustomer(table);
    String customer = isByCustomer ? row.value().split(" ", 2)[0] : "a" + values;
    String amount = "" + values;
    long id = Long.parseLong(row.row());
    byte[] key = isByCustomer ? KeyChangeTraffic.key(customer, id) : KeyChangeTraffic.key(id);
    boolean deletes = !isNew && random.nextInt(4) == 0;
    int number = arrivals.give(row.row(), deletes ? null : customer + " " + amount);
    if (deletes) {
      table.delete(new Delete(key));
      Milliseconds.awaitNext();
    } else {
      table.put(KeyChangeTraffic.order(key, customer, amount));
    }
    arrivals.see(row.row(), number);
    writes.incrementAndGet();
  }
}
