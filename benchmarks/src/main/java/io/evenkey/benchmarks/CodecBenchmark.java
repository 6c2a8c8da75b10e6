/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.layout.Layout;
import io.evenkey.layout.RowReader;
import io.evenkey.layout.RowWriter;
import io.evenkey.layout.Values;
import io.evenkey.layout.hash.Xxh3;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.types.OrderedInt64;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.types.RawByte;
import org.apache.hadoop.hbase.types.Struct;
import org.apache.hadoop.hbase.types.StructBuilder;
import org.apache.hadoop.hbase.types.StructIterator;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PVarchar;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * One key, made and read in every way that people make and read it: the number of a bucket, a
 * device and a time, the newest first. {@code salt(16, device) + device:string + ts:timestamp
 * desc}, or what comes nearest.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "--add-opens=java.base/java.nio=ALL-UNNAMED")
public class CodecBenchmark {
  private static final int BUCKETS = 16;
  private static final int KEYS = 1024;

  private final Layout layout =
      Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
  private final RowWriter writer = layout.writer();
  private final RowReader reader = layout.reader();
  private final Struct struct =
      new StructBuilder()
          .add(new RawByte())
          .add(OrderedString.ASCENDING)
          .add(OrderedInt64.DESCENDING)
          .toStruct();

  private final String[] devices = new String[KEYS];
  private final long[] times = new long[KEYS];
  private final byte[][] rows = new byte[KEYS][];
  private final byte[][] structRows = new byte[KEYS][];
  private final byte[][] orderedRows = new byte[KEYS][];
  private final byte[][] formatRows = new byte[KEYS][];
  private final byte[][] phoenixRows = new byte[KEYS][];
  private final byte[] buffer = new byte[256];
  private int next;

  /** Makes the keys, and makes sure that the hand-written code makes the same ones as Evenkey. */
  @Setup
  public void prepare() {
    for (int i = 0; i < KEYS; i++) {
      devices[i] = "device-" + String.format(Locale.ROOT, "%06d", i * 7919 % 100_000);
      times[i] = 1_700_000_000_000L + i * 977L;
      rows[i] = writer.start().put(devices[i]).put(times[i]).row();
      structRows[i] = encodeStruct(i);
      orderedRows[i] = encodeOrderedBytes(i);
      formatRows[i] = encodeFormat(i);
      phoenixRows[i] = encodePhoenix(i);
      if (!Arrays.equals(rows[i], encodeByHand(i))) {
        throw new IllegalStateException("not the same key: " + devices[i]);
      }
    }
  }

  private int next() {
    next = next + 1 & KEYS - 1;
    return next;
  }

  /** Evenkey, value by value, into a new array. */
  @Benchmark
  public byte[] encode_evenkey() {
    int i = next();
    return writer.start().put(devices[i]).put(times[i]).row();
  }

  /** Evenkey, value by value, into its own buffer. */
  @Benchmark
  public Object encode_evenkeyBuffer() {
    int i = next();
    return writer.start().put(devices[i]).put(times[i]).rowInBuffer();
  }

  /** Evenkey, from a record of values by name. */
  @Benchmark
  public byte[] encode_evenkeyValues() {
    int i = next();
    return layout.encode(Values.of("device", devices[i]).and("ts", times[i]));
  }

  /** The guard's work for a row that a client without Evenkey writes. */
  @Benchmark
  public void check_evenkey() {
    reader.check(rows[next()]);
  }

  /** Hand-written code for the very same key. */
  @Benchmark
  public byte[] encode_byteBufferByHand() {
    return encodeByHand(next());
  }

  /** HBase's Struct of a byte, an OrderedString and an OrderedInt64. */
  @Benchmark
  public byte[] encode_hbaseStruct() {
    return encodeStruct(next());
  }

  /** HBase's OrderedBytes, called by hand. */
  @Benchmark
  public byte[] encode_hbaseOrderedBytes() {
    return encodeOrderedBytes(next());
  }

  /** Encodes as many applications do: by String.format. */
  @Benchmark
  public byte[] encode_stringFormat() {
    return encodeFormat(next());
  }

  /** Phoenix: its types, its separator, its salt. */
  @Benchmark
  public byte[] encode_phoenix() {
    return encodePhoenix(next());
  }

  private byte[] encodeByHand(int i) {
    byte[] device = devices[i].getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + device.length + 1 + Long.BYTES)
        .put((byte) Long.remainderUnsigned(Xxh3.hash(device, 0, device.length), BUCKETS))
        .put(device)
        .put((byte) 0)
        .putLong(~(times[i] ^ Long.MIN_VALUE))
        .array();
  }

  private byte[] encodeStruct(int i) {
    String device = devices[i];
    byte bucket = (byte) Math.floorMod(device.hashCode(), BUCKETS);
    Object[] values = {bucket, device, times[i]};
    PositionedByteRange row = new SimplePositionedMutableByteRange(struct.encodedLength(values));
    struct.encode(row, values);
    return row.getBytes();
  }

  private byte[] encodeOrderedBytes(int i) {
    PositionedByteRange row = new SimplePositionedMutableByteRange(buffer);
    row.put((byte) Math.floorMod(devices[i].hashCode(), BUCKETS));
    OrderedBytes.encodeString(row, devices[i], Order.ASCENDING);
    OrderedBytes.encodeInt64(row, times[i], Order.DESCENDING);
    return Arrays.copyOf(buffer, row.getPosition());
  }

  private byte[] encodeFormat(int i) {
    String device = devices[i];
    return String.format(
            Locale.ROOT,
            "%02d_%s_%019d",
            Math.floorMod(device.hashCode(), BUCKETS),
            device,
            Long.MAX_VALUE - times[i])
        .getBytes(StandardCharsets.UTF_8);
  }

  private byte[] encodePhoenix(int i) {
    byte[] device = PVarchar.INSTANCE.toBytes(devices[i], SortOrder.ASC);
    byte[] time = PLong.INSTANCE.toBytes(times[i], SortOrder.DESC);
    byte[] key = Arrays.copyOf(device, device.length + 1 + time.length);
    System.arraycopy(time, 0, key, device.length + 1, time.length);
    byte[] row = new byte[1 + key.length];
    System.arraycopy(key, 0, row, 1, key.length);
    row[0] = SaltingUtil.getSaltingByte(row, 1, key.length, BUCKETS);
    return row;
  }

  /** Evenkey, checking the prefix too. */
  @Benchmark
  public void decode_evenkey(Blackhole hole) {
    reader.open(rows[next()]);
    hole.consume(reader.get(0));
    hole.consume(reader.getLong(1));
  }

  /** Evenkey, into a record of values by name. */
  @Benchmark
  public Object decode_evenkeyValues() {
    return layout.decode(rows[next()]);
  }

  /** Hand-written code for the very same key, which trusts the prefix. */
  @Benchmark
  public void decode_byteBufferByHand(Blackhole hole) {
    byte[] row = rows[next()];
    int end = 1;
    while (row[end] != 0) {
      end++;
    }
    hole.consume(new String(row, 1, end - 1, StandardCharsets.UTF_8));
    hole.consume(~ByteBuffer.wrap(row).getLong(end + 1) ^ Long.MIN_VALUE);
  }

  /** HBase's Struct. */
  @Benchmark
  public void decode_hbaseStruct(Blackhole hole) {
    StructIterator values =
        struct.iterator(new SimplePositionedMutableByteRange(structRows[next()]));
    hole.consume(values.next());
    hole.consume(values.next());
    hole.consume(values.next());
  }

  /** HBase's OrderedBytes, called by hand. */
  @Benchmark
  public void decode_hbaseOrderedBytes(Blackhole hole) {
    PositionedByteRange row = new SimplePositionedMutableByteRange(orderedRows[next()]);
    hole.consume(row.get());
    hole.consume(OrderedBytes.decodeString(row));
    hole.consume(OrderedBytes.decodeInt64(row));
  }

  /** Decodes as many applications do: by splitting the text. */
  @Benchmark
  public void decode_stringSplit(Blackhole hole) {
    String[] parts = new String(formatRows[next()], StandardCharsets.UTF_8).split("_", 3);
    hole.consume(parts[1]);
    hole.consume(Long.MAX_VALUE - Long.parseLong(parts[2]));
  }

  /** Phoenix: its types, by offsets. */
  @Benchmark
  public void decode_phoenix(Blackhole hole) {
    byte[] row = phoenixRows[next()];
    int end = 1;
    while (row[end] != 0) {
      end++;
    }
    ImmutableBytesWritable value = new ImmutableBytesWritable(row, 1, end - 1);
    hole.consume(PVarchar.INSTANCE.toObject(value, SortOrder.ASC));
    hole.consume(PLong.INSTANCE.getCodec().decodeLong(row, end + 1, SortOrder.DESC));
  }
}
