/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.List;
import java.util.Locale;

/** Warns of more regions than servers should have. */
final class RegionWarning {
  /** The reference guide: from 20 to 200 regions a server are usual. */
  private static final int MOST_A_SERVER = 200;

  private RegionWarning() {}

  static List<String> of(int regions, int servers) {
    int each = (regions + servers - 1) / Math.max(1, servers);
    return each <= MOST_A_SERVER
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%,d regions on %,d region servers are %,d on each; HBase advises at most %d, of all"
                    + " tables together. Ask for fewer with --regions, or 'evenkey size'",
                regions,
                servers,
                each,
                MOST_A_SERVER));
  }
}
