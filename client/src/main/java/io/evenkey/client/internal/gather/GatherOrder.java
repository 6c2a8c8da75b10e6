/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the rows of several ranges become one sequence.
 *
 * @param keyOffset bytes before the logical key in each physical row
 * @param reversed whether the ranges give their rows in descending order
 * @param limit the most rows to return, or 0 for no limit
 * @param toLogical maps a physical row to the row that callers get; null to leave the row out
 * @param together how many ranges begin at one key, as those of a slice or of the first step do, so
 *     that others are opened only when the merge reaches their beginning; 0 if all ranges are
 *     opened at once
 * @param buckets of a salt with slices, each of which has few rows; 0 of another layout
 * @param servers whether servers may be asked for the first rows now; null if the client gathers
 *     all rows
 */
public record GatherOrder(
    int keyOffset,
    boolean reversed,
    long limit,
    Function<Result, @Nullable Result> toLogical,
    int together,
    int buckets,
    @Nullable GatherServers servers) {

  /** An order in which the client gathers all rows. */
  public GatherOrder(
      int keyOffset, boolean reversed, long limit, Function<Result, @Nullable Result> toLogical) {
    this(keyOffset, reversed, limit, toLogical, 0, 0, null);
  }

  /** This order, in which ranges that begin behind others are opened when the merge gets there. */
  public GatherOrder gradually(List<Scan> scans) {
    return beginningWith(OpenRanges.beginningFirst(scans, this));
  }

  /** This order for a scan that reads as many ranges first. */
  public GatherOrder beginningWith(int first) {
    return new GatherOrder(keyOffset, reversed, limit, toLogical, first, buckets, servers);
  }

  /**
   * Whether region servers may be asked for all rows, which may be in the ranges that begin first.
   */
  public boolean mayEndEarly() {
    return limit > 0 && servers != null;
  }

  /** Whether some ranges begin behind others, and are opened later. */
  boolean gradual() {
    return together > 0;
  }

  /**
   * Whether servers may be asked for all rows of so many ranges at once: they are of few slices,
   * and the scan has no limit.
   */
  boolean ofFewSlices(int ranges) {
    return servers != null
        && limit == 0
        && ranges < buckets
        && ranges <= GatherRule.FEW_SLICES * together;
  }

  /** This order for a scan that the client gathers. */
  GatherOrder byClient() {
    return new GatherOrder(keyOffset, reversed, limit, toLogical, together, buckets, null);
  }

  /** This order behind a number of rows, fewer than the limit. */
  GatherOrder after(long rows) {
    return new GatherOrder(
        keyOffset, reversed, limit == 0 ? 0 : limit - rows, toLogical, together, buckets, servers);
  }

  /** Compares physical rows by their logical keys, in the order of the rows. */
  int compare(Result a, Result b) {
    Cell left = a.rawCells()[0];
    Cell right = b.rawCells()[0];
    int ascending =
        Arrays.compareUnsigned(
            left.getRowArray(),
            left.getRowOffset() + keyOffset,
            left.getRowOffset() + left.getRowLength(),
            right.getRowArray(),
            right.getRowOffset() + keyOffset,
            right.getRowOffset() + right.getRowLength());
    return reversed ? -ascending : ascending;
  }

  /** Compares the logical key of a physical row with another one, in the order of the rows. */
  int compare(Result row, byte[] key) {
    Cell left = row.rawCells()[0];
    int ascending =
        Arrays.compareUnsigned(
            left.getRowArray(),
            left.getRowOffset() + keyOffset,
            left.getRowOffset() + left.getRowLength(),
            key,
            0,
            key.length);
    return reversed ? -ascending : ascending;
  }

  /** Compares logical keys in the order of the rows. */
  int compare(byte[] a, byte[] b) {
    return reversed ? Arrays.compareUnsigned(b, a) : Arrays.compareUnsigned(a, b);
  }

  /**
   * The scans of the rows behind a logical key; without those that have no such rows.
   *
   * @param inclusive whether the row of the key itself is left out as well
   */
  List<Scan> behind(List<Scan> scans, byte[] key, boolean inclusive) throws IOException {
    byte[] bound = inclusive == reversed ? key : KeyRange.successor(key);
    return within(scans, bound, reversed);
  }

  /** The scans of the rows before a logical key; without those that have no such rows. */
  List<Scan> before(List<Scan> scans, byte[] key) throws IOException {
    return within(scans, reversed ? KeyRange.successor(key) : key, !reversed);
  }

  /** The scans of the rows whose logical keys are less than a bound, or not less. */
  private List<Scan> within(List<Scan> scans, byte[] bound, boolean less) throws IOException {
    List<Scan> left = new ArrayList<>();
    for (Scan scan : scans) {
      byte[] low = reversed ? scan.getStopRow() : scan.getStartRow();
      byte[] high = reversed ? scan.getStartRow() : scan.getStopRow();
      byte[] row = Arrays.copyOf(Arrays.copyOf(low, keyOffset), keyOffset + bound.length);
      System.arraycopy(bound, 0, row, keyOffset, bound.length);
      KeyRange rest =
          KeyRange.of(low, high)
              .intersection(less ? KeyRange.of(new byte[0], row) : KeyRange.of(row, new byte[0]))
              .upTo(HConstants.MAX_ROW_LENGTH);
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
