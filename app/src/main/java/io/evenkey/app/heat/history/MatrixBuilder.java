/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.history;

import io.evenkey.app.heat.history.HeatMatrix.HeatMark;
import io.evenkey.app.heat.history.HeatMatrix.HeatRow;
import io.evenkey.app.heat.history.HeatMatrix.HeatTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds one matrix from a section of the history. */
final class MatrixBuilder {
  private final HeatQuery query;
  private final List<History.Part> parts;
  private final Map<String, Layout> layouts;
  private final Map<TableHeat, TableHeat> shown = new HashMap<>();

  MatrixBuilder(HeatQuery query, List<History.Part> parts, Map<String, Layout> layouts) {
    this.query = query;
    this.parts = parts;
    this.layouts = layouts;
  }

  /** One table's part of the matrix. */
  private record Part(String table, @Nullable Layout layout, boolean logical, String note) {}

  /** A table in the matrix, and the boundaries of its rows. */
  private record Placed(HeatTable table, Axis axis) {}

  HeatMatrix build() {
    Map<Part, List<TableHeat>> byTable = byTable();
    List<Axis> axes = new ArrayList<>();
    List<double[]> heats = new ArrayList<>();
    for (List<TableHeat> strips : byTable.values()) {
      Axis axis = Axis.union(strips);
      double[] heat = new double[axis.size()];
      for (TableHeat strip : strips) {
        axis.lay(strip, (at, span, share) -> heat[at] += strip.heat(span) * share);
      }
      axes.add(axis);
      heats.add(heat);
    }
    int[][] firsts = SpanMerger.firsts(heats, query.rows());
    Map<String, Placed> tables = new LinkedHashMap<>();
    List<HeatRow> rows = new ArrayList<>();
    int t = 0;
    for (Part part : byTable.keySet()) {
      Axis axis = axes.get(t).joined(firsts[t]);
      t++;
      HeatTable table =
          new HeatTable(
              part.table,
              part.layout == null ? null : part.layout.toString(),
              rows.size(),
              axis.size(),
              part.logical,
              part.note);
      tables.put(part.table, new Placed(table, axis));
      for (byte[] start : axis.starts()) {
        rows.add(new HeatRow(start, label(part, start)));
      }
    }
    return fill(tables, rows);
  }

  private Map<Part, List<TableHeat>> byTable() {
    Map<String, List<TableHeat>> strips = new TreeMap<>();
    for (History.Part part : parts) {
      for (TableHeat strip : part.column().strips()) {
        if (query.table() == null
            ? !OwnNamespace.has(strip.table())
            : query.table().equals(strip.table())) {
          strips.computeIfAbsent(strip.table(), name -> new ArrayList<>()).add(strip);
        }
      }
    }
    Map<Part, List<TableHeat>> byTable = new LinkedHashMap<>();
    strips.forEach(
        (table, of) -> {
          Layout layout = layouts.get(table);
          BucketOverlay fold = null;
          String note = "";
          if (query.logical() && layout != null && !layout.isPlain()) {
            fold = BucketOverlay.of(layout);
            note = fold == null ? "rows of a region are not neighbours in logical order" : "";
          }
          List<TableHeat> folded = new ArrayList<>();
          for (TableHeat strip : of) {
            TableHeat seen = fold == null ? strip : fold.fold(strip);
            shown.put(strip, seen);
            folded.add(seen);
          }
          byTable.put(new Part(table, layout, fold != null, note), folded);
        });
    return byTable;
  }

  private static String label(Part part, byte[] start) {
    if (start.length == 0) {
      return "";
    }
    if (part.layout == null) {
      return ByteText.printable(start, 0, Math.min(start.length, 32));
    }
    return part.logical ? part.layout.labelLogical(start) : part.layout.label(start);
  }

  private HeatMatrix fill(Map<String, Placed> tables, List<HeatRow> rows) {
    MatrixCells cells = new MatrixCells(query, rows.size());
    for (History.Part part : parts) {
      cells.begin();
      for (TableHeat stored : part.column().strips()) {
        TableHeat strip = shown.get(stored);
        Placed placed = tables.get(stored.table());
        if (strip != null && placed != null) {
          int top = placed.table().first();
          placed.axis().lay(strip, (at, span, share) -> cells.add(top + at, strip, span, share));
        }
      }
      cells.end(part.from(), part.to());
    }
    return new HeatMatrix(
        query.from(),
        cells.stepMs(),
        query.columns(),
        rows,
        tables.values().stream().map(Placed::table).toList(),
        marks(tables),
        cells.averages(),
        cells.flags());
  }

  private List<HeatMark> marks(Map<String, Placed> tables) {
    List<HeatMark> marks = new ArrayList<>();
    for (History.Part part : parts) {
      for (RegionEvent mark : part.column().marks()) {
        Placed placed = tables.get(mark.table());
        // In logical order a region is not one contiguous range.
        if (placed != null
            && (!placed.table().logical() || mark.kind() == RegionEvent.Kind.GENERATION)) {
          int row = placed.table().first() + placed.axis().spanOf(mark.key());
          marks.add(
              new HeatMark(mark.at(), row, mark.kind().toString(), mark.table(), mark.text()));
        }
      }
    }
    return marks;
  }
}
