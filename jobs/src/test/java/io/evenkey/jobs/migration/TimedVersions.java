/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One row whose versions a client writes and deletes at explicit times, by all four kinds of
 * deletion. No time is used twice: HBase hides what is put where something was deleted. The family
 * has to keep all versions. Not thread-safe.
 */
final class TimedVersions {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] V = Bytes.toBytes("timed");
  private static final long TTL_MS = 3_600_000;

  private final byte[] row;
  private final TreeMap<Long, String> versions = new TreeMap<>();

  /** Times of versions that may or may not be there. */
  private final Set<Long> unsure = new HashSet<>();

  private long next;

  TimedVersions(String row, long first) {
    this.row = Bytes.toBytes(row);
    this.next = first;
  }

  void change(Table table, SplittableRandom random, AtomicLong written) throws IOException {
    int kind = versions.isEmpty() ? 0 : random.nextInt(8);
    if (kind < 4) {
      put(table, random, written);
      return;
    }
    List<Long> times = List.copyOf(versions.keySet());
    long time = times.get(random.nextInt(times.size()));
    Delete delete = new Delete(row);
    switch (kind) {
      case 4 -> delete.addColumn(D, V, time);
      case 5 -> delete.addFamilyVersion(D, time);
      case 6 -> delete.addColumns(D, V, time);
      default -> delete.addFamily(D, time);
    }
    Set<Long> gone = kind < 6 ? Set.of(time) : versions.headMap(time, true).keySet();
    try {
      write(table, delete, random);
      Set.copyOf(gone).forEach(versions::remove);
      written.incrementAndGet();
    } catch (IOException e) {
      unsure.addAll(gone);
    }
    check(table);
  }

  private void put(Table table, SplittableRandom random, AtomicLong written) throws IOException {
    long time = next++;
    String value = "v" + time;
    Put put = new Put(row).addColumn(D, V, time, Bytes.toBytes(value));
    if (random.nextInt(4) == 0) {
      // HBase counts from the cell's own time, which may be in 1970.
      put.setTTL(System.currentTimeMillis() + TTL_MS);
    }
    try {
      write(table, put, random);
      written.incrementAndGet();
    } catch (IOException e) {
      unsure.add(time);
    }
    versions.put(time, value);
    check(table);
  }

  private void write(Table table, Mutation mutation, SplittableRandom random) throws IOException {
    if (random.nextInt(4) == 0) {
      table.mutateRow(new RowMutations(row).add(List.of(mutation)));
    } else if (mutation instanceof Put put) {
      table.put(put);
    } else {
      table.delete((Delete) mutation);
    }
  }

  /** Whether the table has the versions that were acknowledged, and no others. */
  void check(Table table) throws IOException {
    Map<Long, String> found = new TreeMap<>();
    Result stored = table.get(new Get(row).addColumn(D, V).readAllVersions());
    for (Cell cell : stored.getColumnCells(D, V)) {
      found.put(cell.getTimestamp(), Bytes.toString(CellUtil.cloneValue(cell)));
    }
    Map<Long, String> sure = new TreeMap<>(versions);
    sure.keySet().removeAll(unsure);
    found.keySet().removeAll(unsure);
    assertThat(found).as("versions of " + Bytes.toString(row)).isEqualTo(sure);
  }
}
