/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.failure.EvenkeyException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * One table's part of a column as it is stored, deflated: the format's number (1), when the column
 * begins and ends (8 bytes each, milliseconds since 1970); the number of names and those (UTF), to
 * which the spans refer; the number of spans, and of each the length of its first key (2) and that
 * key, three values (4 each, IEEE 754), the indices of its region and its server among the names (4
 * each) and its flags (1); the number of marks, and of each its time (8), its key (2 for the
 * length, and the key), its kind and its text (UTF). Numbers are big-endian. Stateless.
 */
final class ColumnBytes {
  private static final int FORMAT = 1;

  private ColumnBytes() {}

  static byte[] of(HeatColumn column, TableHeat strip) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeByte(FORMAT);
      out.writeLong(column.from());
      out.writeLong(column.to());
      Map<String, Integer> names = names(strip);
      out.writeInt(names.size());
      for (String name : names.keySet()) {
        out.writeUTF(name);
      }
      out.writeInt(strip.size());
      for (int span = 0; span < strip.size(); span++) {
        writeKey(strip.start(span), out);
        for (int m = 0; m < Measure.COUNT; m++) {
          out.writeFloat(strip.value(m, span));
        }
        out.writeInt(names.getOrDefault(strip.region(span), 0));
        out.writeInt(names.getOrDefault(strip.server(span), 0));
        out.writeByte(strip.flags(span));
      }
      List<RegionEvent> marks =
          column.marks().stream().filter(mark -> mark.table().equals(strip.table())).toList();
      out.writeInt(marks.size());
      for (RegionEvent mark : marks) {
        out.writeLong(mark.at());
        writeKey(mark.key(), out);
        out.writeUTF(mark.kind().name());
        out.writeUTF(mark.text());
      }
    }
    return bytes.toByteArray();
  }

  private static Map<String, Integer> names(TableHeat strip) {
    Map<String, Integer> names = new LinkedHashMap<>();
    for (int span = 0; span < strip.size(); span++) {
      names.putIfAbsent(strip.region(span), names.size());
      names.putIfAbsent(strip.server(span), names.size());
    }
    return names;
  }

  private static void writeKey(byte[] key, DataOutputStream out) throws IOException {
    out.writeShort(key.length);
    out.write(key);
  }

  private static byte[] readKey(DataInputStream in) throws IOException {
    byte[] key = new byte[in.readUnsignedShort()];
    in.readFully(key);
    return key;
  }

  /**
   * Decodes a part of a column.
   *
   * @param shared interns equal keys and names of many columns
   * @throws IOException if the bytes have another format or are corrupt
   */
  static HeatColumn read(String table, byte[] bytes, Interner shared) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      int format = in.readByte();
      if (format != FORMAT) {
        throw new EvenkeyException(
            "heat history of another version: format=" + format + " understood=" + FORMAT);
      }
      long from = in.readLong();
      long to = in.readLong();
      String[] names = new String[in.readInt()];
      for (int i = 0; i < names.length; i++) {
        names[i] = shared.name(in.readUTF());
      }
      TableHeat.Builder strip = new TableHeat.Builder(table);
      int spans = in.readInt();
      for (int span = 0; span < spans; span++) {
        byte[] start = shared.key(readKey(in));
        float[] values = {in.readFloat(), in.readFloat(), in.readFloat()};
        strip.add(start, values, names[in.readInt()], names[in.readInt()], in.readByte());
      }
      List<RegionEvent> marks = new ArrayList<>();
      for (int count = in.readInt(); count > 0; count--) {
        long at = in.readLong();
        byte[] key = readKey(in);
        marks.add(
            new RegionEvent(at, table, key, RegionEvent.Kind.valueOf(in.readUTF()), in.readUTF()));
      }
      return new HeatColumn(from, to, List.of(strip.build()), marks);
    }
  }
}
