/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import io.evenkey.advisor.sample.Column;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Salts with slices of a time, for keys that begin with it: slices of about a thousand rows, of
 * which each has one bucket for each server, or two. Immutable.
 */
final class SlicedSalts {
  private static final double ROWS_OF_A_SLICE = 1_000;
  private static final int MOST_BUCKETS = 256;
  private static final int LEAST_SLICES = 8;
  private static final String[] WIDTHS = {"100ms", "1s", "10s", "1m", "10m", "1h", "1d"};
  private static final long[] WIDTHS_MS = {100, 1_000, 10_000, 60_000, 600_000, 3_600_000};

  private final @Nullable Column time;
  private final String width;
  private final int servers;

  private SlicedSalts(@Nullable Column time, String width, int servers) {
    this.time = time;
    this.width = width;
    this.servers = servers;
  }

  /**
   * The salts for some records.
   *
   * @param time the column of the time; null if they have none
   * @param every one record of how many is in the column
   */
  static SlicedSalts of(@Nullable Column time, double every, int servers) {
    if (time == null || time.codes().length == 0) {
      return new SlicedSalts(null, "", servers);
    }
    Field field = Layout.parse("t:timestamp").fields().get(0);
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (String text : time.values()) {
      long value = (Long) field.parse(text);
      first = Math.min(first, value);
      last = Math.max(last, value);
    }
    double msOfASlice = ROWS_OF_A_SLICE * (last - first) / (time.codes().length * every);
    int at = 0;
    // The next width from about half a slice on: a factor of ten is between two of them.
    while (at < WIDTHS_MS.length && WIDTHS_MS[at] < msOfASlice / 2) {
      at++;
    }
    return new SlicedSalts(time, WIDTHS[at], servers);
  }

  /** The lines of a key under such salts; none if it does not begin with the time. */
  List<String> before(KeyOrder key) {
    List<String> lines = new ArrayList<>();
    Column first = key.parts().get(0).column();
    if (time == null || !first.name().equals(time.name())) {
      return lines;
    }
    for (int over = Math.max(2, servers); over <= 2 * Math.max(2, servers); over *= 2) {
      int buckets = over * slices();
      if (buckets <= MOST_BUCKETS) {
        lines.add(
            "salt("
                + buckets
                + ", "
                + Quoted.name(first.name())
                + " every "
                + width
                + "; over="
                + over
                + ") + "
                + key);
      }
    }
    return lines;
  }

  /**
   * By how many the buckets of a slice are apart. Neighbouring regions are on different servers, so
   * a multiple of the servers would put all buckets of a slice on one.
   */
  private int slices() {
    int apart = LEAST_SLICES;
    BigInteger count = BigInteger.valueOf(Math.max(1, servers));
    while (!count.gcd(BigInteger.valueOf(apart)).equals(BigInteger.ONE)) {
      apart++;
    }
    return apart;
  }
}
