/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.counters.RegionReading;
import io.evenkey.report.heat.counters.TableReading;
import io.evenkey.report.heat.counters.TableReading.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A cluster whose counters a test sets: tables with regions, whose counters a test increases. */
final class Feed {
  private final Map<String, List<Region>> tables = new TreeMap<>();
  private final Map<String, String> layouts = new TreeMap<>();
  private final Map<String, String> generations = new TreeMap<>();
  private long now;

  /** A region with mutable counters. */
  static final class Region {
    final String name;
    final byte[] start;
    final byte[] end;
    String server;
    long openedAt;
    long reads;
    long writes;
    int megabytes = 1;

    Region(String name, byte[] start, byte[] end, String server, long openedAt) {
      this.name = name;
      this.start = start;
      this.end = end;
      this.server = server;
      this.openedAt = openedAt;
    }
  }

  /** Adds a table with these split keys, with its regions on three servers in turn. */
  Feed table(String name, List<byte[]> splits) {
    List<Region> regions = new ArrayList<>();
    for (int i = 0; i <= splits.size(); i++) {
      regions.add(
          new Region(
              name + "-" + i,
              i == 0 ? new byte[0] : splits.get(i - 1),
              i == splits.size() ? new byte[0] : splits.get(i),
              "server" + i % 3 + ",16020,1",
              now + 1));
    }
    tables.put(name, regions);
    return this;
  }

  /** Drops a table. */
  Feed drop(String table) {
    tables.remove(table);
    return this;
  }

  /** Sets the generation that a table is stored in. */
  Feed generation(String table, String physical) {
    generations.put(table, physical);
    return this;
  }

  /** Sets a table's layout. */
  Feed layout(String table, String line) {
    layouts.put(table, line);
    return this;
  }

  /** The regions of a table. */
  List<Region> regions(String table) {
    return tables.get(table);
  }

  /** Increases counters. */
  void write(String table, int region, long count) {
    tables.get(table).get(region).writes += count;
  }

  /** The current counters. */
  Reading at(long millis) {
    now = millis;
    Map<String, TableReading> read = new TreeMap<>();
    tables
        .keySet()
        .forEach(
            table ->
                read.put(
                    table,
                    new TableReading(
                        generations.getOrDefault(table, table),
                        layouts.get(table),
                        OwnNamespace.has(table) ? Kind.OWN : Kind.TABLE)));
    List<RegionReading> all = new ArrayList<>();
    tables.forEach(
        (table, regions) ->
            regions.forEach(
                r ->
                    all.add(
                        new RegionReading(
                            table,
                            r.name,
                            r.start,
                            r.end,
                            r.server,
                            r.openedAt,
                            millis,
                            r.reads,
                            r.writes,
                            r.megabytes))));
    return new Reading(millis, all, read, List.of());
  }

  /** Keys that are numbers of four digits, the first {@code step}, and so on. */
  static List<byte[]> keys(int count, int step) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      keys.add(key(i * step));
    }
    return keys;
  }

  /** The total requests per second of a strip. */
  static double heat(TableHeat strip) {
    double heat = 0;
    for (int span = 0; span < strip.size(); span++) {
      heat += strip.heat(span);
    }
    return heat;
  }

  /** A number of six digits as a key. */
  static byte[] key(int number) {
    return String.format(Locale.ROOT, "%06d", number).getBytes(StandardCharsets.US_ASCII);
  }
}
