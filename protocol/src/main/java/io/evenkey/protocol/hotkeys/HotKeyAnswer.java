/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one region counted of late. Immutable. On the wire, big-endian: one byte format (1); server,
 * region, layout and setting, each {@code u16} length and UTF-8; {@code i32} one in how many;
 * {@code i64} window; one byte number of kinds; for each kind, in the order of {@link HotKeyKind},
 * {@code i64} total, {@code i64} error, {@code u16} number of items, and for each item {@code u16}
 * length, its bytes, and {@code i64} estimate, lower and upper bound. At most about 90 kB.
 *
 * @param server the server's name as HBase writes it, with port and start code
 * @param region the encoded name of the region
 * @param layout the line of the table's layout by which it decodes rows; empty if there is none
 * @param setting the text of {@link HotKeySetting} by which the region acts, which it may not
 *     understand; empty if there is none
 * @param oneIn one of how many operations was counted; 0 if none is
 * @param windowMs the time before the answer in which it counted, in milliseconds
 * @param counts counts of the sample, not yet multiplied; a kind may be missing
 */
public record HotKeyAnswer(
    String server,
    String region,
    String layout,
    String setting,
    int oneIn,
    long windowMs,
    Map<HotKeyKind, HotItems> counts) {
  /** The most bytes of a key that are counted; a longer one is counted by its first bytes. */
  public static final int MOST_KEY_BYTES = 256;

  private static final byte FORMAT = 1;

  /** Copies the map. */
  public HotKeyAnswer {
    counts = Map.copyOf(counts);
  }

  /** The counts of a kind; nothing if it is missing. */
  public HotItems of(HotKeyKind kind) {
    return counts.getOrDefault(kind, new HotItems(0, 0, List.of()));
  }

  /** The bytes on the wire. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(FORMAT);
      out.writeUTF(server);
      out.writeUTF(region);
      out.writeUTF(layout);
      out.writeUTF(setting);
      out.writeInt(oneIn);
      out.writeLong(windowMs);
      HotKeyKind[] kinds = HotKeyKind.values();
      out.writeByte(kinds.length);
      for (HotKeyKind kind : kinds) {
        write(of(kind), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a buffer does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static void write(HotItems items, DataOutputStream out) throws IOException {
    out.writeLong(items.total());
    out.writeLong(items.error());
    out.writeShort(items.items().size());
    for (HotItem item : items.items()) {
      out.writeShort(item.item().length());
      out.write(item.item().toArray());
      out.writeLong(item.estimate());
      out.writeLong(item.lower());
      out.writeLong(item.upper());
    }
  }

  /**
   * The answer in such bytes. Kinds that a later version has appended are passed over.
   *
   * @throws IllegalArgumentException if the bytes are not an answer of this format
   */
  public static HotKeyAnswer parse(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readByte() != FORMAT) {
        throw notUnderstood(bytes, null);
      }
      String server = in.readUTF();
      String region = in.readUTF();
      String layout = in.readUTF();
      String setting = in.readUTF();
      int oneIn = in.readInt();
      long windowMs = in.readLong();
      if (oneIn < 0 || windowMs < 0) {
        throw notUnderstood(bytes, null);
      }
      HotKeyKind[] kinds = HotKeyKind.values();
      Map<HotKeyKind, HotItems> counts = new EnumMap<>(HotKeyKind.class);
      int sent = in.readUnsignedByte();
      for (int i = 0; i < sent; i++) {
        HotItems items = read(in);
        if (i < kinds.length) {
          counts.put(kinds[i], items);
        }
      }
      return new HotKeyAnswer(server, region, layout, setting, oneIn, windowMs, counts);
    } catch (IOException e) {
      throw notUnderstood(bytes, e);
    }
  }

  private static HotItems read(DataInputStream in) throws IOException {
    long total = in.readLong();
    long error = in.readLong();
    int size = in.readUnsignedShort();
    List<HotItem> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      byte[] item = new byte[in.readUnsignedShort()];
      in.readFully(item);
      items.add(new HotItem(ByteString.of(item), in.readLong(), in.readLong(), in.readLong()));
    }
    return new HotItems(total, error, items);
  }

  private static IllegalArgumentException notUnderstood(byte[] bytes, @Nullable IOException cause) {
    return new IllegalArgumentException(
        "answer about hot keys not understood: bytes=" + bytes.length, cause);
  }
}
