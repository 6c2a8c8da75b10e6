/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.hash.Xxh3;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time that the drop-in client adds to an action and a result: the same put and get for a row
 * that the application salted by hand, and for a logical key that is mapped; a result as it came,
 * and under its logical key. Five columns of 20 bytes. And what counting costs: the meters, which
 * always count, of 4,096 keys of which some come more often.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "--add-opens=java.base/java.nio=ALL-UNNAMED")
public class MappingBenchmark {
  private static final int BUCKETS = 16;
  private static final int COLUMNS = 5;
  private static final byte[] FAMILY = {'d'};

  private final Layout layout = Layout.parse("salt(16) + device:string + ts:timestamp");
  private final RowMapping rows = RowMapping.of(layout);
  private final RowMapping metered =
      RowMapping.of(layout, Set.of(), TableMeters.of("benchmark", "t", layout));
  private final byte[][] keys = new byte[4_096][];
  private int next;
  private final byte[][] qualifiers = new byte[COLUMNS][];
  private final byte[] value = new byte[20];
  private byte[] key = {};
  private Result result = Result.EMPTY_RESULT;

  /** Makes a key, and a result of its row as HBase would return it. */
  @Setup
  public void prepare() {
    Random random = new Random(1);
    for (int i = 0; i < keys.length; i++) {
      int device = random.nextInt(1 + random.nextInt(500));
      keys[i] = layout.logicalKey(Values.of("device", "device-" + device).and("ts", 1_000L * i));
    }
    key = layout.logicalKey(Values.of("device", "device-000042").and("ts", 1_700_000_000_000L));
    Cell[] cells = new Cell[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
      qualifiers[i] = new byte[] {(byte) ('a' + i)};
      cells[i] = new KeyValue(layout.physical(key), FAMILY, qualifiers[i], 1L, value);
    }
    result = Result.create(cells);
    if (!Arrays.equals(salted(), layout.physical(key))) {
      throw new IllegalStateException("not the same row");
    }
  }

  private byte[] salted() {
    byte[] row = new byte[1 + key.length];
    row[0] = (byte) Long.remainderUnsigned(Xxh3.hash(key, 0, key.length), BUCKETS);
    System.arraycopy(key, 0, row, 1, key.length);
    return row;
  }

  private Put put(byte[] row) {
    Put put = new Put(row);
    for (byte[] qualifier : qualifiers) {
      put.addColumn(FAMILY, qualifier, value);
    }
    return put;
  }

  /** A put of a row salted by hand. */
  @Benchmark
  public Put put_byHand() {
    return put(salted());
  }

  /** A put of a logical key, mapped. */
  @Benchmark
  public Put put_evenkey() throws IOException {
    return rows.physical(put(key));
  }

  /** A get of a row salted by hand. */
  @Benchmark
  public Get get_byHand() {
    return new Get(salted()).addFamily(FAMILY);
  }

  /** A get of a logical key, mapped. */
  @Benchmark
  public Get get_evenkey() throws IOException {
    return rows.physical(new Get(key).addFamily(FAMILY));
  }

  private byte[] nextKey() {
    next = (next + 1) % keys.length;
    return keys[next];
  }

  /** A get of one of many keys, mapped. */
  @Benchmark
  public Get many_evenkey() throws IOException {
    return rows.physical(new Get(nextKey()).addFamily(FAMILY));
  }

  /** And counted by the meters. */
  @Benchmark
  public Get many_metered() throws IOException {
    return metered.physical(new Get(nextKey()).addFamily(FAMILY));
  }

  /** The logical key of a result, cut off by hand. */
  @Benchmark
  public byte[] result_byHand() {
    byte[] row = result.getRow();
    return Arrays.copyOfRange(row, 1, row.length);
  }

  /** A result under its logical key, and that key. */
  @Benchmark
  public byte[] result_evenkey() {
    return rows.results().logical(result).getRow();
  }
}
