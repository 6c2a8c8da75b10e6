/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Columns in layers; older layers are coarser. The size is bounded for any number of regions:
 * layers have a limit of columns, and columns a limit of spans, both by layer. Thread-safe.
 */
final class History {
  private final List<Layer> layers;
  private final List<Deque<HeatColumn>> columns = new ArrayList<>();

  History(List<Layer> layers) {
    this.layers = List.copyOf(layers);
    layers.forEach(layer -> columns.add(new ArrayDeque<>()));
  }

  List<Layer> layers() {
    return layers;
  }

  /**
   * Adds the newest column of the finest layer, and the columns of the others that it completes.
   *
   * @return the added columns, by layer; none for a layer without a completed column
   */
  synchronized List<Added> add(HeatColumn newest) {
    List<Added> added = new ArrayList<>();
    HeatColumn fine =
        new HeatColumn(
            newest.from(),
            newest.to(),
            SpanMerger.of(newest.strips(), layers.get(0).mostSpans()),
            newest.marks());
    put(0, fine);
    added.add(new Added(layers.get(0), fine));
    for (int l = 1; l < layers.size(); l++) {
      Layer layer = layers.get(l);
      long end = layer.floor(newest.to());
      HeatColumn last = columns.get(l).peekLast();
      if (last != null && last.to() >= end) {
        continue;
      }
      List<HeatColumn> parts = within(l - 1, end - layer.millis(), end);
      if (!parts.isEmpty()) {
        // Of an interval that was recorded in part, only that part is known.
        long from = Math.max(end - layer.millis(), parts.get(0).from());
        HeatColumn coarse = Downsampler.of(from, end, parts, layer.mostSpans());
        put(l, coarse);
        added.add(new Added(layer, coarse));
      }
    }
    return added;
  }

  /** A column and its layer. */
  record Added(Layer layer, HeatColumn column) {}

  /** Restores a stored column; the columns of a layer are restored in time order. */
  synchronized void restore(Layer layer, HeatColumn column) {
    int l = layers.indexOf(layer);
    if (l >= 0) {
      put(l, column);
    }
  }

  private void put(int layer, HeatColumn column) {
    Deque<HeatColumn> ring = columns.get(layer);
    ring.addLast(column);
    while (ring.size() > layers.get(layer).keep()) {
      ring.removeFirst();
    }
  }

  // The middle of a column decides where it belongs, since readings are slightly late.
  private List<HeatColumn> within(int layer, long from, long to) {
    List<HeatColumn> parts = new ArrayList<>();
    for (HeatColumn column : columns.get(layer)) {
      long middle = (column.from() + column.to()) / 2;
      if (middle >= from && middle < to) {
        parts.add(column);
      }
    }
    return parts;
  }

  /**
   * A column, or the part of one that no finer column covers.
   *
   * @param from the beginning of the part, in milliseconds since 1970
   * @param to the end of the part
   */
  record Part(HeatColumn column, long from, long to) {}

  /** The finest columns of an interval, in time order. */
  synchronized List<Part> parts(long from, long to) {
    Deque<Part> found = new ArrayDeque<>();
    long until = to;
    for (Deque<HeatColumn> ring : columns) {
      for (Iterator<HeatColumn> newestFirst = ring.descendingIterator(); newestFirst.hasNext(); ) {
        HeatColumn column = newestFirst.next();
        if (column.from() < until && column.to() > from) {
          found.addFirst(
              new Part(column, Math.max(from, column.from()), Math.min(until, column.to())));
          until = column.from();
        }
      }
    }
    return List.copyOf(found);
  }

  /** The last columns of the finest layer, up to a limit, in time order. */
  synchronized List<HeatColumn> last(int count) {
    List<HeatColumn> all = new ArrayList<>(columns.get(0));
    return List.copyOf(all.subList(Math.max(0, all.size() - count), all.size()));
  }

  /**
   * The beginning of the oldest column, in milliseconds since 1970; {@code otherwise} without
   * columns.
   */
  synchronized long oldest(long otherwise) {
    long oldest = otherwise;
    for (Deque<HeatColumn> ring : columns) {
      HeatColumn first = ring.peekFirst();
      if (first != null) {
        oldest = Math.min(oldest, first.from());
      }
    }
    return oldest;
  }

  /** The number of spans in all columns of all layers. */
  synchronized long spans() {
    return columns.stream().flatMap(Deque::stream).mapToLong(HeatColumn::size).sum();
  }
}
