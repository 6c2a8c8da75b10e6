/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.cell;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, what people call it, and what its values are. Immutable.
 *
 * @param family the column family
 * @param qualifier the column within the family; may be empty
 * @param name its name outside of HBase: the column of a file, the head of a listing
 * @param type the type of its values
 */
public record CellColumn(String family, String qualifier, String name, CellType type) {
  /**
   * Reads {@code family:qualifier[=name][:type]}. Without a name it is called {@code
   * family:qualifier}; without a type its values are text.
   *
   * @throws IllegalArgumentException if it is written otherwise
   */
  public static CellColumn parse(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0) {
      throw new EvenkeyArgumentException(
          "not a column: " + text + "; expected family:qualifier[=name][:type]");
    }
    String family = text.substring(0, colon);
    String rest = text.substring(colon + 1);
    CellType type = CellType.STRING;
    int last = rest.lastIndexOf(':');
    CellType named = last < 0 ? null : CellType.named(rest.substring(last + 1));
    if (named != null) {
      type = named;
      rest = rest.substring(0, last);
    } else if (last >= 0 && rest.indexOf('=') >= 0 && rest.indexOf('=') < last) {
      throw unknownType(rest.substring(last + 1), text);
    }
    int equals = rest.indexOf('=');
    String qualifier = equals < 0 ? rest : rest.substring(0, equals);
    String name = equals < 0 ? family + ":" + qualifier : rest.substring(equals + 1);
    return new CellColumn(family, qualifier, name, type);
  }

  private static IllegalArgumentException unknownType(String type, String text) {
    List<String> types = Arrays.stream(CellType.values()).map(CellType::toString).toList();
    return new EvenkeyArgumentException(
        "unknown type '"
            + type.toLowerCase(Locale.ROOT)
            + "': column="
            + text
            + "; expected one of "
            + String.join(", ", types));
  }

  /** A column of text of this name in a family. */
  public static CellColumn text(String family, String name) {
    return new CellColumn(family, name, name, CellType.STRING);
  }

  /** The family as HBase takes it; a new array. */
  public byte[] familyBytes() {
    return Bytes.toBytes(family);
  }

  /** The qualifier as HBase takes it; a new array. */
  public byte[] qualifierBytes() {
    return Bytes.toBytes(qualifier);
  }

  /**
   * A value as people read it, or null if there is none; bytes that are none of the type are shown
   * in hexadecimal digits after {@code 0x}, so that nothing is hidden.
   */
  public @Nullable Object shown(byte @Nullable [] value) {
    if (value == null) {
      return null;
    }
    try {
      return type.decode(value);
    } catch (IllegalArgumentException e) {
      return "0x" + CellType.BYTES.decode(value);
    }
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return family + ":" + qualifier + "=" + name + ":" + type;
  }
}
