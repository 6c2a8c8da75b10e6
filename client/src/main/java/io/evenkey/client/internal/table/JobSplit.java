/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.apache.hadoop.conf.Configuration;
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
 * <p>HBase's {@code TableInputFormat} makes its splits of the regions' boundaries, cut off at the
 * bounds of the job's scan, and reads each by a scan between two such keys. No two logical keys
 * bound a region of a spread table. So in a job, a region's boundaries are keys that lie right
 * behind the first key of the job's scan, where cutting off leaves them as they are, and say in
 * what follows which region is meant; such a scan reads the physical range that it names.
 *
 * @param logical the keys that the job reads
 * @param region the rows of the region
 */
record JobSplit(KeyRange logical, KeyRange region) {
  /** Between the first key of the job's scan and the rest: nothing that anybody has for a key. */
  private static final byte[] MARK =
      Bytes.add(new byte[8], "evenkey job split".getBytes(StandardCharsets.US_ASCII));

  private static final String TABLE = "hbase.mapreduce.inputtable";
  private static final String SCAN = "hbase.mapreduce.scan";
  private static final String START = "hbase.mapreduce.scan.row.start";
  private static final String STOP = "hbase.mapreduce.scan.row.stop";

  /** The keys that a job reads from a table, or null if this is no job that reads from it. */
  static @Nullable KeyRange ofJob(Configuration configuration, TableName table) throws IOException {
    if (!table.getNameAsString().equals(configuration.get(TABLE))) {
      return null;
    }
    String scan = configuration.get(SCAN);
    if (scan == null) {
      return KeyRange.of(
          Bytes.toBytesBinary(configuration.get(START, "")),
          Bytes.toBytesBinary(configuration.get(STOP, "")));
    }
    Scan read = ProtobufUtil.toScan(ClientProtos.Scan.parseFrom(Base64.getDecoder().decode(scan)));
    return read.isReversed() ? null : PhysicalScans.range(read);
  }

  /** The split's first key, as HBase gets it; null if none fits between the job's bounds. */
  byte @Nullable [] firstKey() {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    key.writeBytes(logical.start());
    key.writeBytes(MARK);
    for (byte[] part : new byte[][] {logical.stop(), region.start(), region.stop()}) {
      key.writeBytes(Bytes.toBytes((short) part.length));
      key.writeBytes(part);
    }
    byte[] first = key.toByteArray();
    byte[] stop = logical.stop();
    return stop.length == 0 || Bytes.compareTo(stopKey(first), stop) < 0 ? first : null;
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
      byte[] stop = part(rest);
      KeyRange region = KeyRange.of(part(rest), part(rest));
      if (rest.remaining() <= 1) {
        return new JobSplit(KeyRange.of(Arrays.copyOf(bound, mark), stop), region);
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "boundary of a region of a spread table, in a job, that was changed: key="
            + ByteText.printable(bound, 0, Math.min(bound.length, 64))
            + "; do not cut regions into several splits");
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
