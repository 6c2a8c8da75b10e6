/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.counters.ReadingSource;
import io.evenkey.report.heat.counters.RegionReading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The counters of a cluster that is too large for a test machine: twenty tables of 251 regions. One
 * is written evenly, one by growing keys.
 */
final class LargeCluster implements ReadingSource {
  private static final int TABLES = 20;
  private static final int REGIONS = 251;

  private final long[][] writes = new long[TABLES][REGIONS];

  @Override
  public Reading read() {
    long now = System.currentTimeMillis();
    for (int r = 0; r < REGIONS; r++) {
      writes[3][r] += 40;
    }
    // By the clock: what tests of the same seconds store is one history, in which the keys grow.
    writes[7][(int) (now / 200 % REGIONS)] += 5_000;
    List<RegionReading> regions = new ArrayList<>();
    for (int t = 0; t < TABLES; t++) {
      for (int r = 0; r < REGIONS; r++) {
        regions.add(
            new RegionReading(
                "table" + t,
                "region-" + t + "-" + r,
                key(r),
                r + 1 < REGIONS ? key(r + 1) : new byte[0],
                "server" + r % 3 + ",16020,1",
                0,
                now,
                0,
                writes[t][r],
                1));
      }
    }
    return new Reading(now, regions, Map.of(), List.of());
  }

  private static byte[] key(int region) {
    return region == 0
        ? new byte[0]
        : String.format(Locale.ROOT, "%06d", region * 10).getBytes(StandardCharsets.US_ASCII);
  }
}
