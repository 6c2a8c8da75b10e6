/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The load of one table's key space during an interval: its spans in key order, without gaps. A
 * span is a region, a part of one, or several neighbours. Immutable: callers must not change the
 * arrays.
 */
final class TableHeat {
  /** Flag: the values are a share of a longer span's values. */
  static final byte SHARED = 1;

  /** Flag: counters restarted in this interval, so requests may be missing. */
  static final byte RESTARTED = 2;

  private final String table;
  private final byte[][] starts;
  private final float[][] values;
  private final String[] regions;
  private final String[] servers;
  private final byte[] flags;

  /**
   * Creates a strip of these arrays, without copying them.
   *
   * @param starts the first key of each span, ascending
   * @param values the values by measure, then by span
   * @param regions encoded names; empty for a span that is not one region
   * @param servers the region server of each span; empty for a span with several
   */
  TableHeat(
      String table,
      byte[][] starts,
      float[][] values,
      String[] regions,
      String[] servers,
      byte[] flags) {
    this.table = table;
    this.starts = starts;
    this.values = values;
    this.regions = regions;
    this.servers = servers;
    this.flags = flags;
  }

  String table() {
    return table;
  }

  int size() {
    return starts.length;
  }

  byte[][] starts() {
    return starts;
  }

  byte[] start(int span) {
    return starts[span];
  }

  /** The end key of a span, exclusive; empty for the last span. */
  byte[] end(int span) {
    return span + 1 < starts.length ? starts[span + 1] : new byte[0];
  }

  float value(Measure measure, int span) {
    return values[measure.at()][span];
  }

  float value(int measure, int span) {
    return values[measure][span];
  }

  String region(int span) {
    return regions[span];
  }

  String server(int span) {
    return servers[span];
  }

  Stream<String> servers() {
    return Stream.of(servers);
  }

  byte flags(int span) {
    return flags[span];
  }

  /** The heat of a span, its requests per second, which decides whether it is merged. */
  double heat(int span) {
    return (double) value(Measure.READS, span) + value(Measure.WRITES, span);
  }

  /** The span that contains a key. */
  int spanOf(byte[] key) {
    return Axis.spanOf(starts, key, 0);
  }

  /** Returns this heat with runs of neighbours merged. */
  TableHeat joined(int[] firsts) {
    if (firsts.length == size()) {
      return this;
    }
    int count = firsts.length;
    byte[][] joinedStarts = new byte[count][];
    float[][] joinedValues = new float[Measure.COUNT][count];
    String[] joinedRegions = new String[count];
    String[] joinedServers = new String[count];
    byte[] joinedFlags = new byte[count];
    for (int i = 0; i < count; i++) {
      int from = firsts[i];
      int to = i + 1 < count ? firsts[i + 1] : size();
      joinedStarts[i] = starts[from];
      joinedRegions[i] = to - from == 1 ? regions[from] : "";
      joinedServers[i] = servers[from];
      for (int span = from; span < to; span++) {
        for (int m = 0; m < Measure.COUNT; m++) {
          joinedValues[m][i] += values[m][span];
        }
        joinedFlags[i] |= flags[span];
        if (!servers[span].equals(joinedServers[i])) {
          joinedServers[i] = "";
        }
      }
    }
    return new TableHeat(
        table, joinedStarts, joinedValues, joinedRegions, joinedServers, joinedFlags);
  }

  /** Builds a strip span by span. Not thread-safe. */
  static final class Builder {
    private final String table;
    private final List<byte[]> starts = new ArrayList<>();
    private final List<float[]> values = new ArrayList<>();
    private final List<String> regions = new ArrayList<>();
    private final List<String> servers = new ArrayList<>();
    private final List<Byte> flags = new ArrayList<>();

    Builder(String table) {
      this.table = table;
    }

    /** Adds the next span. */
    Builder add(byte[] start, float[] measured, String region, String server, int flag) {
      starts.add(start);
      values.add(measured);
      regions.add(region);
      servers.add(server);
      flags.add((byte) flag);
      return this;
    }

    TableHeat build() {
      int size = starts.size();
      float[][] byMeasure = new float[Measure.COUNT][size];
      byte[] allFlags = new byte[size];
      for (int span = 0; span < size; span++) {
        for (int m = 0; m < Measure.COUNT; m++) {
          byMeasure[m][span] = values.get(span)[m];
        }
        allFlags[span] = flags.get(span);
      }
      return new TableHeat(
          table,
          starts.toArray(new byte[0][]),
          byMeasure,
          regions.toArray(new String[0]),
          servers.toArray(new String[0]),
          allFlags);
    }
  }
}
