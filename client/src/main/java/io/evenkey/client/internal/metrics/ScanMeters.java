/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Scans of spread tables, all of this JVM's.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><td>{@code evenkey.scan.fanout}</td><td>ranges of a scan</td></tr>
 *   <tr><td>{@code evenkey.scan.rows.fetched}</td><td>rows that servers sent</td></tr>
 *   <tr><td>{@code evenkey.scan.rows.returned}</td><td>rows that applications took; what was
 *       fetched and not taken was read ahead in vain</td></tr>
 *   <tr><td>{@code evenkey.scan.wait}</td><td>how often, and how long, a reader waited for a range
 *       with nothing read ahead; observers never wait</td></tr>
 *   <tr><td>{@code evenkey.scan.gathered}</td><td>short scans whose first rows region servers
 *       gathered</td></tr>
 *   <tr><td>{@code evenkey.scan.ungathered}</td><td>short scans that a server could not gather, so
 *       that the client did</td></tr>
 * </table>
 *
 * <p>Thread-safe.
 */
public final class ScanMeters {
  private static final IntConsumer FANOUT =
      MeterHome.summary(
          new Meters.Name("evenkey.scan.fanout", "Physical ranges of a scan", "ranges"));

  private static final LongAdder FETCHED =
      counter("evenkey.scan.rows.fetched", "Rows sent", "rows");
  private static final LongAdder RETURNED =
      counter("evenkey.scan.rows.returned", "Rows taken", "rows");
  private static final LongAdder GATHERED =
      counter("evenkey.scan.gathered", "Short scans gathered by servers", "scans");
  private static final LongAdder UNGATHERED =
      counter("evenkey.scan.ungathered", "Short scans that servers could not gather", "scans");
  private static final LongAdder WAITS = new LongAdder();
  private static final LongAdder WAITED_NANOS = new LongAdder();

  static {
    MeterHome.timer(
        new Meters.Name("evenkey.scan.wait", "Merges waiting for a range", null),
        WAITS,
        LongAdder::sum,
        waits -> WAITED_NANOS.sum());
  }

  private ScanMeters() {}

  private static LongAdder counter(String name, String description, String unit) {
    LongAdder adder = new LongAdder();
    MeterHome.counter(new Meters.Name(name, description, unit), adder, LongAdder::sum);
    return adder;
  }

  /** Counts a scan that begins, and its ranges. */
  public static void started(int ranges) {
    FANOUT.accept(ranges);
  }

  /** Counts an answer and its rows. */
  public static void fetched(int rows) {
    FETCHED.add(rows);
  }

  /** Counts a scan that has ended, and the rows that the caller took. */
  public static void returned(long rows) {
    RETURNED.add(rows);
  }

  /** Counts a short scan whose first rows servers were asked for. */
  public static void asked(boolean gathered) {
    (gathered ? GATHERED : UNGATHERED).increment();
  }

  /** The number of short scans whose first rows servers gathered. */
  public static long gathered() {
    return GATHERED.sum();
  }

  /** The number of short scans that servers could not gather. */
  public static long ungathered() {
    return UNGATHERED.sum();
  }

  /** A merge has waited for so long. */
  public static void waited(long nanos) {
    WAITS.increment();
    WAITED_NANOS.add(nanos);
  }
}
