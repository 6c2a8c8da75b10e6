package io.evenkey.client.gather;

import java.util.function.Function;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
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
 */
public record GatherOrder(
    int keyOffset, boolean reversed, long limit, Function<Result, @Nullable Result> toLogical) {

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
