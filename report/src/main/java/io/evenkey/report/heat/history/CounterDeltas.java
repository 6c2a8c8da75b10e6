/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.counters.RegionReading;
import io.evenkey.report.heat.counters.TableReading;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of counters between two readings.
 *
 * <p>Counters belong to an open region: they start at 0 when the region is opened again or on
 * another server. A lower count than before is therefore a count since the opening. It misses the
 * requests between the last reading and the closing, and is flagged. A region that was opened since
 * the last reading has counted from its opening, which is all of its load. One that was open
 * before, but was not read, as after a gap, has no count yet.
 */
final class CounterDeltas {
  /** A reading shows the servers' last reports, in which regions opened since then are missing. */
  private static final long REPORTED_MS = 10_000;

  private static final List<RegionEvent.Kind> ORDER =
      List.of(
          RegionEvent.Kind.GENERATION,
          RegionEvent.Kind.SPLIT,
          RegionEvent.Kind.MERGE,
          RegionEvent.Kind.MOVE,
          RegionEvent.Kind.RESTART);

  private final Reading before;
  private final Reading now;
  private final Map<String, RegionReading> away;
  private final Map<String, TableReading> known;
  private final List<RegionEvent> marks = new ArrayList<>();

  private CounterDeltas(
      Reading before,
      Reading now,
      Map<String, RegionReading> away,
      Map<String, TableReading> known) {
    this.before = before;
    this.now = now;
    this.away = away;
    this.known = known;
  }

  /** The column between two readings. */
  static HeatColumn between(Reading before, Reading now) {
    return between(before, now, Map.of(), before.tables());
  }

  /**
   * The column between two readings.
   *
   * @param away the last readings of regions that were in transition at the first reading
   * @param known the tables as they were last read: while one is switched to its next generation,
   *     both may be closed at the first reading
   */
  static HeatColumn between(
      Reading before,
      Reading now,
      Map<String, RegionReading> away,
      Map<String, TableReading> known) {
    return new CounterDeltas(before, now, away, known).column();
  }

  private HeatColumn column() {
    Map<String, RegionReading> old = new HashMap<>(away);
    Map<String, List<RegionReading>> oldTables = byTable(before);
    before.idle().forEach(region -> old.put(region.region(), region));
    before.regions().forEach(region -> old.put(region.region(), region));
    List<TableHeat> strips = new ArrayList<>();
    byTable(now)
        .forEach(
            (table, regions) -> {
              List<RegionReading> olds = oldTables.getOrDefault(table, List.of());
              strips.add(strip(table, regions, old));
              markChanges(table, olds, regions);
            });
    strips.sort(Comparator.comparing(TableHeat::table));
    // The most important ones are kept if there are many.
    marks.sort(Comparator.comparing(mark -> ORDER.indexOf(mark.kind())));
    return new HeatColumn(before.at(), now.at(), strips, marks);
  }

  private static Map<String, List<RegionReading>> byTable(Reading reading) {
    Map<String, List<RegionReading>> tables = new HashMap<>();
    reading
        .regions()
        .forEach(r -> tables.computeIfAbsent(r.table(), name -> new ArrayList<>()).add(r));
    return tables;
  }

  private TableHeat strip(
      String table, List<RegionReading> regions, Map<String, RegionReading> old) {
    TableHeat.Builder strip = new TableHeat.Builder(table);
    // A region in transition is missing: its span is kept, without counts.
    byte[] expected = new byte[0];
    for (RegionReading region : regions) {
      if (!Arrays.equals(expected, region.start())) {
        strip.add(expected, new float[Measure.COUNT], "", "", TableHeat.RESTARTED);
      }
      add(strip, region, old.get(region.region()));
      expected = region.end();
    }
    if (expected.length > 0) {
      strip.add(expected, new float[Measure.COUNT], "", "", TableHeat.RESTARTED);
    }
    return strip.build();
  }

  private void add(TableHeat.Builder strip, RegionReading region, @Nullable RegionReading old) {
    long reads = region.reads();
    long writes = region.writes();
    long millis = now.at() - before.at();
    int flags = 0;
    if (old == null) {
      if (region.openedAt() < before.at() - REPORTED_MS) {
        reads = 0;
        writes = 0;
        flags = TableHeat.RESTARTED;
      }
    } else {
      boolean restarted =
          region.reads() < old.reads() || region.writes() < old.writes() || isReopened(region, old);
      boolean moved = !region.server().equals(old.server());
      if (restarted || moved) {
        flags = TableHeat.RESTARTED;
        marks.add(
            new RegionEvent(
                now.at(),
                region.table(),
                region.start(),
                moved ? RegionEvent.Kind.MOVE : RegionEvent.Kind.RESTART,
                moved ? old.server() + " → " + region.server() : region.server()));
      } else {
        reads -= old.reads();
        writes -= old.writes();
        if (region.countedAt() > old.countedAt()) {
          millis = region.countedAt() - old.countedAt();
        }
      }
    }
    float seconds = Math.max(1, millis) / 1000f;
    float[] values = {reads / seconds, writes / seconds, (float) region.megabytes()};
    strip.add(region.start(), values, region.region(), region.server(), flags);
  }

  // Counters that have caught up since the opening are not lower than before.
  private static boolean isReopened(RegionReading region, RegionReading old) {
    return old.reads() + old.writes() > 0
        && region.openedAt() > old.countedAt()
        && region.openedAt() <= region.countedAt();
  }

  private void markChanges(String table, List<RegionReading> olds, List<RegionReading> regions) {
    TableReading then = known.get(table);
    if (then == null) {
      return;
    }
    String layoutBefore = then.layout();
    String layoutNow = now.layout(table);
    if (!Objects.equals(layoutBefore, layoutNow)) {
      marks.add(
          new RegionEvent(
              now.at(),
              table,
              new byte[0],
              RegionEvent.Kind.GENERATION,
              LayoutTimes.change(layoutBefore, layoutNow)));
      return;
    }
    if (olds.isEmpty()) {
      return;
    }
    List<RegionReading> all = withRegionsAway(table, olds);
    markBorders(table, regions, all, RegionEvent.Kind.SPLIT);
    markBorders(table, all, regions, RegionEvent.Kind.MERGE);
  }

  // A region that is split or merged is often missing from the reading in between.
  private List<RegionReading> withRegionsAway(String table, List<RegionReading> olds) {
    List<RegionReading> all = new ArrayList<>(olds);
    for (RegionReading region : away.values()) {
      if (region.table().equals(table) && olds.stream().noneMatch(old -> overlap(old, region))) {
        all.add(region);
      }
    }
    return all;
  }

  private static boolean overlap(RegionReading one, RegionReading other) {
    return isBefore(one.start(), other.end()) && isBefore(other.start(), one.end());
  }

  private static boolean isBefore(byte[] start, byte[] end) {
    return end.length == 0 || Arrays.compareUnsigned(start, end) < 0;
  }

  private static boolean hasWithin(RegionReading region, byte[] key) {
    return Arrays.compareUnsigned(region.start(), key) < 0
        && (region.end().length == 0 || Arrays.compareUnsigned(key, region.end()) < 0);
  }

  // Boundaries that only one reading has, inside a region of the other reading.
  private void markBorders(
      String table, List<RegionReading> with, List<RegionReading> without, RegionEvent.Kind kind) {
    Set<ByteBuffer> borders = new HashSet<>();
    without.forEach(region -> borders.add(ByteBuffer.wrap(region.start())));
    without.forEach(region -> borders.add(ByteBuffer.wrap(region.end())));
    for (RegionReading region : with) {
      boolean isNew = !borders.contains(ByteBuffer.wrap(region.start()));
      // Between regions that one reading misses there is a border too, but it was there before.
      if (isNew && without.stream().anyMatch(other -> hasWithin(other, region.start()))) {
        marks.add(new RegionEvent(now.at(), table, region.start(), kind, ""));
      }
    }
  }
}
