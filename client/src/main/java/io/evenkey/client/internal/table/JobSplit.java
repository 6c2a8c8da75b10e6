/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The range that one split of a MapReduce job reads: the keys of a logical range that are in one
 * region.
 *
 * <p>HBase's {@code TableInputFormat} and {@code MultiTableInputFormat} make their splits of the
 * regions' boundaries, cut off at the bounds of the job's scans, and read each by a scan between
 * two such keys. No two logical keys bound a region of a spread table. So in a job, a region's
 * boundaries are keys that lie right behind the first key of a range that the job reads, where
 * cutting off leaves them as they are, and say in what follows which region is meant; such a scan
 * reads the physical range that it names.
 *
 * <p>The regions' parts divide the rows of one generation by one layout only. A task may run long
 * after its split was made, so the split says of which generation and layout it is, and is read of
 * no other.
 *
 * @param logical the keys that the job reads
 * @param region the rows of the region
 * @param generation the table in HBase that has the region
 * @param layout the line of its layout
 */
record JobSplit(KeyRange logical, KeyRange region, TableName generation, String layout) {
  /** Between the first key of the job's scan and the rest: nothing that anybody has for a key. */
  private static final byte[] MARK =
      Bytes.add(new byte[8], "evenkey job split".getBytes(StandardCharsets.US_ASCII));

  private static final String TABLE = "hbase.mapreduce.inputtable";
  private static final String SCAN = "hbase.mapreduce.scan";
  private static final String SCANS = "hbase.mapreduce.scans";
  private static final String START = "hbase.mapreduce.scan.row.start";
  private static final String STOP = "hbase.mapreduce.scan.row.stop";

  /** The split of a region of a generation. */
  static JobSplit of(KeyRange logical, KeyRange region, Generation generation) {
    return new JobSplit(
        logical, region, generation.physical(), generation.rows().layout().toString());
  }

  /**
   * The ranges of keys that a job reads from a table, cut so that no two overlap and each is all or
   * no part of what a scan of the job reads; none if this is no job that reads from it.
   */
  static List<KeyRange> rangesOfJob(Configuration configuration, TableName table)
      throws IOException {
    List<KeyRange> read = new ArrayList<>();
    String one = configuration.get(SCAN);
    if (table.getNameAsString().equals(configuration.get(TABLE))) {
      if (one == null) {
        read.add(
            KeyRange.of(
                Bytes.toBytesBinary(configuration.get(START, "")),
                Bytes.toBytesBinary(configuration.get(STOP, ""))));
      } else if (!addRange(scan(one), read)) {
        return List.of();
      }
    }
    for (String text : configuration.getTrimmedStringCollection(SCANS)) {
      Scan scan = scan(text);
      byte[] of = scan.getAttribute(Scan.SCAN_ATTRIBUTES_TABLE_NAME);
      if (Arrays.equals(of, table.getName()) && !addRange(scan, read)) {
        return List.of();
      }
    }
    return apart(read);
  }

  // HBase's formats cannot read backwards.
  private static boolean addRange(Scan scan, List<KeyRange> to) {
    return !scan.isReversed() && to.add(PhysicalScans.range(scan));
  }

  private static Scan scan(String text) throws IOException {
    return ProtobufUtil.toScan(ClientProtos.Scan.parseFrom(Base64.getDecoder().decode(text)));
  }

  private static List<KeyRange> apart(List<KeyRange> ranges) {
    TreeSet<byte[]> bounds = new TreeSet<>(Arrays::compareUnsigned);
    for (KeyRange range : ranges) {
      bounds.add(range.start());
      bounds.add(range.stop());
    }
    List<KeyRange> parts = new ArrayList<>();
    for (byte[] start : bounds) {
      byte[] next = bounds.higher(start);
      KeyRange part = KeyRange.of(start, next == null ? new byte[0] : next);
      if (ranges.stream().anyMatch(range -> !range.intersection(part).isEmpty())) {
        parts.add(part);
      }
    }
    return parts;
  }

  /** The split's first key, as HBase gets it; null if none fits between the job's bounds. */
  byte @Nullable [] firstKey() {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    key.writeBytes(logical.start());
    key.writeBytes(MARK);
    for (byte[] part :
        new byte[][] {
          logical.stop(), region.start(), region.stop(), generation.getName(), Bytes.toBytes(layout)
        }) {
      key.writeBytes(Bytes.toBytes((short) part.length));
      key.writeBytes(part);
    }
    byte[] first = key.toByteArray();
    byte[] last = stopKey(first);
    byte[] stop = logical.stop();
    boolean fits =
        last.length <= HConstants.MAX_ROW_LENGTH
            && (stop.length == 0 || Bytes.compareTo(last, stop) < 0);
    return fits ? first : null;
  }

  /** The end of the split that begins with a key, as HBase gets it. */
  static byte[] stopKey(byte[] firstKey) {
    return Bytes.add(firstKey, new byte[] {1});
  }

  /**
   * The split that a bound of a scan speaks of, or null if it is a key like any other.
   *
   * @throws IllegalArgumentException if it was one, and was changed
   */
  static @Nullable JobSplit of(byte[] bound) {
    int mark = indexOfMark(bound);
    if (mark < 0) {
      return null;
    }
    try {
      ByteBuffer rest =
          ByteBuffer.wrap(bound, mark + MARK.length, bound.length - mark - MARK.length);
      KeyRange logical = KeyRange.of(Arrays.copyOf(bound, mark), part(rest));
      KeyRange region = KeyRange.of(part(rest), part(rest));
      TableName generation = TableName.valueOf(part(rest));
      String layout = Bytes.toString(part(rest));
      if (rest.remaining() <= 1) {
        return new JobSplit(logical, region, generation, layout);
      }
    } catch (BufferUnderflowException | IllegalArgumentException | NegativeArraySizeException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "job changed the boundary of a region of a spread table: key="
            + ByteText.printable(bound, 0, Math.min(bound.length, 64))
            + "; do not divide regions into several splits");
  }

  /**
   * The split that a bound of a scan speaks of, or null if it is a key like any other.
   *
   * @param now the generation that would be read
   * @throws TableLayoutException if the split is of another one, or by another layout
   */
  static @Nullable JobSplit of(byte[] bound, Generation now) throws TableLayoutException {
    JobSplit split = of(bound);
    if (split != null) {
      now.checkMade(split.generation, split.layout);
    }
    return split;
  }

  private static byte[] part(ByteBuffer from) {
    byte[] part = new byte[from.getShort()];
    from.get(part);
    return part;
  }

  private static int indexOfMark(byte[] key) {
    for (int i = 0; i <= key.length - MARK.length; i++) {
      if (Arrays.equals(key, i, i + MARK.length, MARK, 0, MARK.length)) {
        return i;
      }
    }
    return -1;
  }
}
