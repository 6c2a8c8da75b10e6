/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.field.IllegalValue;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.spread.Prefix;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * A readable form of the bytes of a row, or of the beginning of one, such as a region starts with.
 * Stateless.
 */
final class RowLabel {
  private static final String BETWEEN = " · ";
  private static final String MIDNIGHT = "T00:00:00Z";
  private static final int SHOWN = 40;

  private RowLabel() {}

  static String ofRow(Layout layout, byte[] row) {
    if (row.length == 0) {
      return "";
    }
    Prefix prefix = layout.spread().prefix();
    int width = layout.spread().width();
    if (prefix == null || width == 0) {
      return ofStored(layout, row);
    }
    OptionalInt bucket = prefix.bucket(row);
    String label =
        bucket.isPresent()
            ? "bucket " + bucket.getAsInt()
            : "prefix " + ByteText.printable(row, 0, Math.min(row.length, prefix.width()));
    return row.length <= width
        ? label
        : label + BETWEEN + ofStored(layout, Arrays.copyOfRange(row, width, row.length));
  }

  // Reversed parts can be turned back only where they are whole.
  private static String ofStored(Layout layout, byte[] stored) {
    Key key = layout.key();
    if (key.isReversed()) {
      byte[] turned = stored.clone();
      return key.reverseBeginning(turned, 0, turned.length, key.elementCount())
              && key.isWhole(turned)
          ? ofLogical(key, turned)
          : shortened(ByteText.printable(stored));
    }
    return ofLogical(key, stored);
  }

  static String ofLogical(Key key, byte[] bytes) {
    if (bytes.length == 0) {
      return "";
    }
    Key.Beginning beginning = key.beginning(bytes, key.elementCount());
    StringBuilder label = new StringBuilder();
    int field = 0;
    for (; field < key.fields().size() && key.elementOf(field) < beginning.elements(); field++) {
      int from = beginning.spans()[2 * field];
      append(label, key.codecOf(field), bytes, from, beginning.spans()[2 * field + 1]);
    }
    if (beginning.bytes() < bytes.length && field < key.fields().size()) {
      appendPart(label, key.codecOf(field), bytes, beginning.bytes());
    }
    return label.toString();
  }

  private static void append(
      StringBuilder label, FieldCodec codec, byte[] bytes, int from, int end) {
    Field field = codec.field();
    String text;
    try {
      Object value = codec.read(bytes, from, end, new KeyBuffer(32));
      text =
          value == null ? "(null)" : shortened(field.type().display(value).replace(MIDNIGHT, ""));
    } catch (IllegalValue e) {
      text = "0x" + ByteText.hex(Arrays.copyOfRange(bytes, from, Math.min(end, from + SHOWN)));
    }
    label.append(label.isEmpty() ? "" : BETWEEN).append(field.name()).append('=').append(text);
  }

  // The rest of a boundary is less than a value: the least one of it says where it lies.
  private static void appendPart(StringBuilder label, FieldCodec codec, byte[] bytes, int from) {
    Field field = codec.field();
    int width = field.type().width();
    if (width != FieldType.VARIABLE && bytes.length - from < width) {
      byte[] least = Arrays.copyOf(Arrays.copyOfRange(bytes, from, bytes.length), width);
      append(label, codec, least, 0, width);
      return;
    }
    byte[] part = Arrays.copyOfRange(bytes, from, bytes.length);
    if (field.descending()) {
      for (int i = 0; i < part.length; i++) {
        part[i] = (byte) ~part[i];
      }
    }
    label
        .append(label.isEmpty() ? "" : BETWEEN)
        .append(field.name())
        .append('=')
        .append(shortened(ByteText.printable(part) + "…"));
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 1) + "…";
  }
}
