/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sample under a layout: its rows as they arrive and as they are stored, and the regions of a
 * table that is cut for them. Immutable.
 */
public final class Replay {
  /** Enough to tell ranges by; more would only take longer to sort. */
  static final int SORTED = 250_000;

  private final Layout layout;
  private final ParsedColumns columns;
  private final byte[][] rows;
  private final byte[][] sorted;
  private final Placement placement;

  /**
   * Makes all rows. Of more than {@value #SORTED}, every n-th is taken for what needs their order.
   *
   * @throws io.evenkey.layout.field.ValueException if a record has no key under the layout
   */
  public Replay(Layout layout, ParsedColumns columns, int servers) {
    this.layout = layout;
    this.columns = columns;
    KeyMaker keys = new KeyMaker(columns, layout);
    rows = new byte[columns.sample().size()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = keys.row(i);
    }
    sorted = everyFew(rows);
    Arrays.sort(sorted, Arrays::compareUnsigned);
    placement = Placement.of(layout, sorted, servers);
  }

  private static byte[][] everyFew(byte[][] rows) {
    int stride = stride(rows.length);
    byte[][] few = new byte[(rows.length + stride - 1) / stride][];
    Arrays.setAll(few, i -> rows[i * stride]);
    return few;
  }

  /** One row of how many is taken. */
  static int stride(int rows) {
    return Math.max(1, (rows + SORTED - 1) / SORTED);
  }

  /** The first row of every region but the first. */
  public List<byte[]> splits() {
    return placement.splits();
  }

  /** The row of a record; the caller does not change it. */
  public byte[] row(int record) {
    return rows[record];
  }

  /** Bytes of a row, the mean. */
  double keyBytes() {
    return Arrays.stream(rows).mapToInt(row -> row.length).average().orElse(0);
  }

  /** The distribution of the writes, with regions dealt out to the servers in turn. */
  WriteFigures writes() {
    return WriteFigures.of(rows, placement);
  }

  /** The writes of slices; null if the layout has none of a time. */
  @Nullable SliceFigures slices() {
    return SliceFigures.of(layout, columns, rows, placement);
  }

  /**
   * The distribution of the writes over the regions of a table that is there.
   *
   * @param splits the first row of every region but the first
   * @param servers the number of region servers
   * @param serverOf of each region, the number of its server
   * @param window the records of a window; the last has up to twice as many
   */
  public WriteFigures writes(List<byte[]> splits, int servers, int[] serverOf, int window) {
    return WriteFigures.of(rows, Placement.of(splits, servers, serverOf), window);
  }

  /**
   * The number of rows that each region takes, window by window.
   *
   * @param windows the number of windows, of equal numbers of records
   * @return by window, then by region in the order of the rows
   */
  public int[][] heat(int windows) {
    int[][] heat = new int[windows][placement.regions()];
    for (int i = 0; i < rows.length; i++) {
      heat[(int) ((long) i * windows / rows.length)][placement.region(rows[i])]++;
    }
    return heat;
  }

  /** The server of each region, dealt out in turn. */
  public int[] servers() {
    int[] servers = new int[placement.regions()];
    Arrays.setAll(servers, placement::server);
    return servers;
  }

  int rowsIn(KeyRange range) {
    int to = range.isOpenEnded() ? sorted.length : position(range.stop());
    return to - position(range.start());
  }

  private int position(byte[] bound) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(sorted[middle], bound) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Marks the servers that have a part of a range. */
  void touch(KeyRange range, BitSet servers) {
    int first = placement.region(range.start());
    int last = range.isOpenEnded() ? placement.regions() - 1 : placement.region(range.stop());
    for (int region = first;
        region <= last && servers.cardinality() < placement.servers();
        region++) {
      servers.set(placement.server(region));
    }
  }
}
