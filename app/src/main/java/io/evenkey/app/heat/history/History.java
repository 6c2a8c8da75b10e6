package io.evenkey.app.heat.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Columns in layers that grow coarser with age. Bounded, however many regions there are: each layer
 * has so many columns, and each column so many spans. Thread-safe.
 */
final class History {
  /** Spans of a stored column, about. */
  static final int MOST_SPANS = 3_072;

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
   * @return what was added, by layer; nothing where no column was completed
   */
  synchronized List<Added> add(HeatColumn newest) {
    List<Added> added = new ArrayList<>();
    HeatColumn fine =
        new HeatColumn(
            newest.from(), newest.to(), SpanMerger.of(newest.strips(), MOST_SPANS), newest.marks());
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
        // Of a while that was watched in part, only that part is known.
        long from = Math.max(end - layer.millis(), parts.get(0).from());
        HeatColumn coarse = Downsampler.of(from, end, parts, MOST_SPANS);
        put(l, coarse);
        added.add(new Added(layer, coarse));
      }
    }
    return added;
  }

  /** A column, and the layer that it is now in. */
  record Added(Layer layer, HeatColumn column) {}

  /** Puts back a column that was stored; those of a layer come in the order of time. */
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

  // A column belongs where its middle is: readings come a moment late.
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
   * @param from when the part begins, in milliseconds since 1970
   * @param to when it ends
   */
  record Part(HeatColumn column, long from, long to) {}

  /** The finest there is of a while, in the order of time. */
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

  /** The last columns of the finest layer, at most so many, in the order of time. */
  synchronized List<HeatColumn> last(int count) {
    List<HeatColumn> all = new ArrayList<>(columns.get(0));
    return List.copyOf(all.subList(Math.max(0, all.size() - count), all.size()));
  }

  /** When the oldest column begins, in milliseconds since 1970; {@code otherwise} if none does. */
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

  /** How many spans are held, in all columns of all layers. */
  synchronized long spans() {
    return columns.stream().flatMap(Deque::stream).mapToLong(HeatColumn::size).sum();
  }
}
