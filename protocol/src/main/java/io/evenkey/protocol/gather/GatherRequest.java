/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A client's request to one region server for rows of several physical ranges there: for the first
 * ones of all ranges, in logical order, or for the first ones of each range. Immutable.
 *
 * <p>On the wire, all numbers big-endian: one byte format (1), one byte flags (bit 0: reversed; bit
 * 1: of each range), {@code u16} key offset, {@code i32} limit, {@code i64} bytes, {@code
 * i32}-counted bytes of the scan, {@code u16} number of regions, and for each region its encoded
 * name ({@code u16}-counted printable ASCII), {@code i32} number of ranges, and for each range its
 * start and its stop ({@code u16}-counted bytes).
 *
 * @param keyOffset bytes before the logical key in each physical row
 * @param reversed whether the last rows are wanted, in descending order
 * @param ofEach whether rows of each range are wanted, range by range, in equal shares of the limit
 *     and of the bytes; the client merges them, and reads on where each ends
 * @param limit the most rows of the answer, from 1 to {@value #MOST_ROWS}
 * @param bytes the most bytes of cells of the answer, from 1 to {@value #MOST_BYTES}
 * @param scan HBase's protobuf of the scan, without bounds
 * @param regions the regions, each once, and the ranges to read in each; at most {@value
 *     #MOST_RANGES} in all
 */
public record GatherRequest(
    int keyOffset,
    boolean reversed,
    boolean ofEach,
    int limit,
    long bytes,
    ByteString scan,
    List<Part> regions) {
  /** The most rows of one answer. */
  public static final int MOST_ROWS = 10_000;

  /** The most bytes of cells of one answer. */
  public static final long MOST_BYTES = 8L << 20;

  /** The most ranges of one request: the buckets that a salt can have. */
  public static final int MOST_RANGES = 65_536;

  private static final int FORMAT = 1;
  private static final int REVERSED = 1;
  private static final int OF_EACH = 2;
  private static final int MOST_REGIONS = 0xffff;
  private static final int MOST_KEY = 0x7fff;

  /**
   * The ranges of one region.
   *
   * @param region the encoded name of the region
   * @param ranges physical ranges within the region, ascending, none overlapping another
   */
  public record Part(String region, List<KeyRange> ranges) {
    /** Copies the list, and checks its order. */
    public Part {
      ranges = List.copyOf(ranges);
      for (int i = 1; i < ranges.size(); i++) {
        KeyRange before = ranges.get(i - 1);
        if (before.isOpenEnded()
            || Arrays.compareUnsigned(ranges.get(i).start(), before.stop()) < 0) {
          throw new IllegalArgumentException(
              "ranges of a gather out of order: region=" + region + " range=" + ranges.get(i));
        }
      }
    }
  }

  /** Checks the numbers. */
  public GatherRequest {
    regions = List.copyOf(regions);
    long ranges = 0;
    Set<String> names = new HashSet<>();
    for (Part part : regions) {
      ranges += part.ranges().size();
      if (!names.add(part.region())) {
        throw new IllegalArgumentException("region twice in a gather: region=" + part.region());
      }
    }
    if (keyOffset < 0
        || keyOffset > MOST_KEY
        || limit < 1
        || limit > MOST_ROWS
        || bytes < 1
        || bytes > MOST_BYTES
        || regions.isEmpty()
        || regions.size() > MOST_REGIONS
        || ranges < 1
        || ranges > MOST_RANGES) {
      throw new IllegalArgumentException(
          "gather out of range: offset="
              + keyOffset
              + " limit="
              + limit
              + " bytes="
              + bytes
              + " regions="
              + regions.size()
              + " ranges="
              + ranges);
    }
  }

  /** A request for the first rows of all ranges. */
  public GatherRequest(
      int keyOffset, boolean reversed, int limit, long bytes, ByteString scan, List<Part> regions) {
    this(keyOffset, reversed, false, limit, bytes, scan, regions);
  }

  /** The number of ranges in all regions. */
  public int ranges() {
    int all = 0;
    for (Part part : regions) {
      all += part.ranges().size();
    }
    return all;
  }

  /** The bytes on the wire. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytesOut)) {
      out.writeByte(FORMAT);
      out.writeByte((reversed ? REVERSED : 0) | (ofEach ? OF_EACH : 0));
      out.writeShort(keyOffset);
      out.writeInt(limit);
      out.writeLong(bytes);
      byte[] protobuf = scan.toArray();
      out.writeInt(protobuf.length);
      out.write(protobuf);
      out.writeShort(regions.size());
      for (Part part : regions) {
        key(out, part.region().getBytes(StandardCharsets.US_ASCII));
        out.writeInt(part.ranges().size());
        for (KeyRange range : part.ranges()) {
          key(out, range.start());
          key(out, range.stop());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytesOut.toByteArray();
  }

  private static void key(DataOutputStream out, byte[] key) throws IOException {
    if (key.length > MOST_KEY) {
      throw new IllegalArgumentException("key too long: bytes=" + key.length);
    }
    out.writeShort(key.length);
    out.write(key);
  }

  /**
   * The request in such bytes. Reads no more memory than the bytes have.
   *
   * @throws IllegalArgumentException if the bytes are not a request of this format
   */
  public static GatherRequest parse(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readUnsignedByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException("unknown format of a gather: format=" + format);
      }
      int flags = in.readUnsignedByte();
      if (flags > (REVERSED | OF_EACH)) {
        throw new IllegalArgumentException("unknown flags of a gather: flags=" + flags);
      }
      int keyOffset = in.readUnsignedShort();
      int limit = in.readInt();
      long most = in.readLong();
      byte[] protobuf = bytes(in, in.readInt());
      int count = in.readUnsignedShort();
      List<Part> regions = new ArrayList<>();
      long left = MOST_RANGES;
      for (int i = 0; i < count; i++) {
        String region = name(bytes(in, in.readUnsignedShort()));
        int ranges = in.readInt();
        left -= ranges;
        if (ranges < 1 || left < 0) {
          throw new IllegalArgumentException("too many ranges, or none: region=" + region);
        }
        regions.add(new Part(region, ranges(in, ranges)));
      }
      if (in.available() > 0) {
        throw new IllegalArgumentException("bytes after a gather: bytes=" + in.available());
      }
      return new GatherRequest(
          keyOffset,
          (flags & REVERSED) != 0,
          (flags & OF_EACH) != 0,
          limit,
          most,
          ByteString.of(protobuf),
          regions);
    } catch (IOException e) {
      throw new IllegalArgumentException("gather cut off: bytes=" + bytes.length, e);
    }
  }

  private static String name(byte[] ascii) {
    for (byte character : ascii) {
      if (character <= ' ' || character > '~') {
        throw new IllegalArgumentException("not the name of a region: bytes=" + ascii.length);
      }
    }
    return new String(ascii, StandardCharsets.US_ASCII);
  }

  private static List<KeyRange> ranges(DataInputStream in, int count) throws IOException {
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] start = bytes(in, in.readUnsignedShort());
      byte[] stop = bytes(in, in.readUnsignedShort());
      KeyRange range = KeyRange.of(start, stop);
      if (range.isEmpty()) {
        throw new IllegalArgumentException("empty range: index=" + i);
      }
      ranges.add(range);
    }
    return ranges;
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    if (length < 0 || length > in.available()) {
      throw new IllegalArgumentException(
          "gather cut off: wanted=" + length + " left=" + in.available());
    }
    return in.readNBytes(length);
  }
}
