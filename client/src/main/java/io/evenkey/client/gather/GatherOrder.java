package io.evenkey.client.gather;

import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of several ranges become one sequence.
 *
 * @param keyOffset bytes before the logical key in each physical row
 * @param reversed whether the ranges give their rows in descending order
 * @param limit the most rows to return, or 0 for no limit
 * @param toLogical maps a physical row to the row that callers get; null to leave the row out
 * @param onServers whether servers may gather the first rows: no two rows have one logical key
 */
public record GatherOrder(
    int keyOffset,
    boolean reversed,
    long limit,
    Function<Result, @Nullable Result> toLogical,
    boolean onServers) {

  /** An order in which the client gathers all rows. */
  public GatherOrder(
      int keyOffset, boolean reversed, long limit, Function<Result, @Nullable Result> toLogical) {
    this(keyOffset, reversed, limit, toLogical, false);
  }

  /** The same for a number of rows, gathered by the client. */
  GatherOrder byClient(long rows) {
    return new GatherOrder(keyOffset, reversed, rows, toLogical);
  }

  /** The scans of the rows behind a logical key; without those that have no such rows. */
  List<Scan> behind(List<Scan> scans, byte[] key) throws IOException {
    List<Scan> left = new ArrayList<>();
    for (Scan scan : scans) {
      byte[] low = reversed ? scan.getStopRow() : scan.getStartRow();
      byte[] high = reversed ? scan.getStartRow() : scan.getStopRow();
      byte[] row = Arrays.copyOf(Arrays.copyOf(low, keyOffset), keyOffset + key.length);
      System.arraycopy(key, 0, row, keyOffset, key.length);
      KeyRange rest =
          KeyRange.of(low, high)
              .intersection(
                  reversed
                      ? KeyRange.of(new byte[0], row)
                      : KeyRange.of(KeyRange.successor(row), new byte[0]));
      if (!rest.isEmpty()) {
        left.add(
            reversed
                ? new Scan(scan).withStartRow(rest.stop(), false).withStopRow(rest.start(), true)
                : new Scan(scan).withStartRow(rest.start()).withStopRow(rest.stop()));
      }
    }
    return left;
  }

  MergeHeads heads(int streams) {
    return new MergeHeads(streams, keyOffset, reversed);
  }

  long mostRows() {
    return limit == 0 ? Long.MAX_VALUE : limit;
  }

  /** A cursor at a logical key, from which the scan can be started again. */
  static Cursor cursor(byte[] position) {
    // The class has no public constructor; this is how HBase makes them.
    return ProtobufUtil.toCursor(
        ClientProtos.Cursor.newBuilder().setRow(UnsafeByteOperations.unsafeWrap(position)).build());
  }
}
