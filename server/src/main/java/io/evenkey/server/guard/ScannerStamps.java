/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardAttributes;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.jspecify.annotations.Nullable;

/**
 * The stamps with which the open scanners of a region were opened. Thread-safe. Scanners are known
 * by identity, and forgotten with them, should HBase not say that one is closed.
 */
final class ScannerStamps {
  private final ConcurrentMap<InternalScanner, Stamps> stamps = new MapMaker().weakKeys().makeMap();

  void remember(InternalScanner scanner, Scan scan) {
    byte[] layout = TableRules.layoutOf(scan);
    byte[] migration = scan.getAttribute(GuardAttributes.MIGRATION);
    boolean raw = scan.getAttribute(GuardAttributes.RAW) != null;
    // Those without are the rest.
    if (layout != null || migration != null || raw) {
      stamps.put(scanner, new Stamps(layout, migration, raw));
    }
  }

  void forget(InternalScanner scanner) {
    stamps.remove(scanner);
  }

  /**
   * Whether a scanner may go on. One that is not known here, because it named nothing or another
   * coprocessor has put its own in its place, may unless the table is closed.
   */
  Outcome next(InternalScanner scanner, TableRules rules) {
    Stamps found = stamps.get(scanner);
    return found == null ? rules.call() : rules.read(found.layout, found.migration, found.raw);
  }

  int size() {
    return stamps.size();
  }

  private static final class Stamps {
    private final byte @Nullable [] layout;
    private final byte @Nullable [] migration;
    private final boolean raw;

    private Stamps(byte @Nullable [] layout, byte @Nullable [] migration, boolean raw) {
      this.layout = layout;
      this.migration = migration;
      this.raw = raw;
    }
  }
}
