/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.report.heat.history.HeatMatrix.HeatMark;
import io.evenkey.report.heat.history.HeatMatrix.HeatRow;
import io.evenkey.report.heat.history.HeatMatrix.HeatTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds one matrix from a section of the history. A table whose rows became other ones in that
 * time, by a migration, has a block of rows for each layout, the present one first: their physical
 * keys are not comparable. In logical order the same fields are one block under every spread.
 */
final class MatrixBuilder {
  private final HeatQuery query;
  private final List<History.Part> parts;
  private final LayoutTimes layouts;
  private final List<String> tables;
  private final Map<TableHeat, Shown> shown = new HashMap<>();
  private final Map<Layout, Optional<BucketOverlay>> overlays = new HashMap<>();
  private final Map<TableHeat, Integer> reachedSteps = new HashMap<>();

  /**
   * Creates a builder.
   *
   * @param tables the tables to show, in this order
   */
  MatrixBuilder(
      HeatQuery query, List<History.Part> parts, LayoutTimes layouts, List<String> tables) {
    this.query = query;
    this.parts = parts;
    this.layouts = layouts;
    this.tables = tables;
  }

  /** The strips of one table under one layout. */
  private static final class Block {
    private final String table;
    private final @Nullable Layout layout;
    private final boolean logical;
    private final String note;
    private final List<TableHeat> strips = new ArrayList<>();
    private long until;

    Block(String table, @Nullable Layout layout, boolean logical, String note) {
      this.table = table;
      this.layout = layout;
      this.logical = logical;
      this.note = note;
    }
  }

  /** A strip as a block shows it, and the keys that no row had then. */
  private record Shown(Block block, TableHeat strip, KeysToCome coming) {}

  /** A block in the matrix, and the boundaries of its rows. */
  private record Placed(HeatTable table, Axis axis) {}

  HeatMatrix build() {
    List<Block> blocks = blocks();
    List<Axis> axes = new ArrayList<>();
    List<double[]> heats = new ArrayList<>();
    for (Block block : blocks) {
      Axis axis = Axis.union(block.strips);
      double[] heat = new double[axis.size()];
      for (TableHeat strip : block.strips) {
        axis.lay(strip, (at, span, share) -> heat[at] += strip.heat(span) * share);
      }
      axes.add(axis);
      heats.add(heat);
    }
    int[][] firsts = SpanMerger.firsts(heats, query.rows());
    Map<Block, Placed> placed = new LinkedHashMap<>();
    List<HeatRow> rows = new ArrayList<>();
    for (int b = 0; b < blocks.size(); b++) {
      Block block = blocks.get(b);
      Axis axis = axes.get(b).joined(firsts[b]);
      HeatTable table =
          new HeatTable(
              block.table,
              block.layout == null ? null : block.layout.toString(),
              block.until,
              KeyLabel.fields(block.layout, block.logical),
              rows.size(),
              axis.size(),
              block.logical,
              block.note);
      placed.put(block, new Placed(table, axis));
      for (byte[] start : axis.starts()) {
        rows.add(
            new HeatRow(
                start,
                start.length == 0 ? "" : KeyLabel.values(block.layout, start, block.logical)));
      }
    }
    return fill(placed, rows);
  }

  private List<Block> blocks() {
    Map<String, Map<String, Block>> all = new LinkedHashMap<>();
    tables.forEach(table -> all.put(table, new LinkedHashMap<>()));
    if (query.logical()) {
      reachSteps(all.keySet());
    }
    // The present layout of a table is that of its newest strip, which makes its first block.
    for (int p = parts.size() - 1; p >= 0; p--) {
      HeatColumn column = parts.get(p).column();
      for (TableHeat strip : column.strips()) {
        Map<String, Block> blocks = all.get(strip.table());
        if (blocks != null) {
          add(blocks, strip, column);
        }
      }
    }
    return all.values().stream().flatMap(blocks -> blocks.values().stream()).toList();
  }

  /** Steps of the salt that rows have reached stay reached, also while no row is written. */
  private void reachSteps(Set<String> names) {
    Map<String, Integer> reached = new HashMap<>();
    for (History.Part part : parts) {
      for (TableHeat strip : part.column().strips()) {
        Layout layout =
            names.contains(strip.table()) ? layouts.of(strip.table(), part.column().to()) : null;
        BucketOverlay fold = layout == null || layout.steps().isNone() ? null : overlay(layout);
        if (fold != null) {
          reachedSteps.put(strip, reached.merge(strip.table(), fold.reachedStep(strip), Math::max));
        }
      }
    }
  }

  private @Nullable BucketOverlay overlay(Layout layout) {
    return overlays
        .computeIfAbsent(layout, one -> Optional.ofNullable(BucketOverlay.of(one)))
        .orElse(null);
  }

  private void add(Map<String, Block> blocks, TableHeat strip, HeatColumn column) {
    Layout layout = layouts.of(strip.table(), column.to());
    BucketOverlay fold = null;
    String note = "";
    boolean spread = layout != null && !layout.isPlain();
    if (query.logical() && layout != null && spread) {
      fold = overlay(layout);
      note = fold == null ? "rows of a region are not neighbours in logical order" : "";
    }
    boolean logical = fold != null || (query.logical() && !spread);
    String keys = layout == null ? "" : (logical ? layout.plain() : layout).toString();
    KeysToCome coming = KeysToCome.after(logical || !spread ? layout : null, column.to());
    int step = 0;
    if (layout != null && fold != null) {
      step = coming.isNone() ? reachedSteps.getOrDefault(strip, 0) : fold.lastStep();
      coming = coming.isNone() ? KeysToCome.beyond(layout, step) : coming;
    }
    Block block = blocks.get(keys);
    if (block == null) {
      block = new Block(strip.table(), layout, fold != null, note);
      block.until = blocks.isEmpty() ? 0 : column.to();
      blocks.put(keys, block);
    }
    TableHeat seen = fold == null ? strip : fold.fold(strip, coming, step);
    block.strips.add(seen);
    shown.put(strip, new Shown(block, seen, coming));
  }

  private HeatMatrix fill(Map<Block, Placed> placed, List<HeatRow> rows) {
    MatrixCells cells = new MatrixCells(query, rows.size());
    for (History.Part part : parts) {
      cells.begin();
      for (TableHeat stored : part.column().strips()) {
        Shown seen = shown.get(stored);
        Placed place = seen == null ? null : placed.get(seen.block);
        if (seen != null && place != null) {
          int top = place.table().first();
          Axis axis = place.axis();
          IntPredicate empty = at -> seen.coming.has(axis.start(at), axis.end(at));
          axis.lay(
              seen.strip, empty, (at, span, share) -> cells.add(top + at, seen.strip, span, share));
        }
      }
      cells.end(part.from(), part.to());
    }
    return new HeatMatrix(
        query.from(),
        cells.stepMs(),
        query.columns(),
        rows,
        placed.values().stream().map(Placed::table).toList(),
        marks(placed),
        cells.averages(),
        cells.flags());
  }

  private List<HeatMark> marks(Map<Block, Placed> placed) {
    Map<String, Placed> present = new HashMap<>();
    placed.forEach((block, place) -> present.putIfAbsent(block.table, place));
    List<HeatMark> marks = new ArrayList<>();
    for (History.Part part : parts) {
      for (RegionEvent mark : part.column().marks()) {
        Placed place = of(mark, part, placed, present);
        // In logical order a region is not one contiguous range.
        if (place != null
            && (!place.table().logical() || mark.kind() == RegionEvent.Kind.GENERATION)) {
          int row = place.table().first() + place.axis().spanOf(mark.key());
          marks.add(
              new HeatMark(mark.at(), row, mark.kind().toString(), mark.table(), mark.text()));
        }
      }
    }
    marks.sort(Comparator.comparingLong(HeatMark::at));
    return marks;
  }

  private @Nullable Placed of(
      RegionEvent mark, History.Part part, Map<Block, Placed> placed, Map<String, Placed> present) {
    TableHeat strip = part.column().strip(mark.table());
    Shown seen = strip == null ? null : shown.get(strip);
    return seen == null ? present.get(mark.table()) : placed.get(seen.block);
  }
}
