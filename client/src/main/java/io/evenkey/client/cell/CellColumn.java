/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.cell;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A column with a name and a type, by which cells are read and written as Java values or text: a
 * component of a record in {@link io.evenkey.client.SpreadTable#selectAs}, a column of a CSV file
 * in an import.
 *
 * <pre>{@code
 * CellColumn celsius = CellColumn.parse("d:celsius=temperature:float64");
 * Object shown = celsius.shown(reading.value(celsius.familyBytes(), celsius.qualifierBytes()));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param family the column family
 * @param qualifier the qualifier within the family; may be empty
 * @param name the name outside of HBase: a component, a CSV column, a heading
 * @param type the type of the values
 */
public record CellColumn(String family, String qualifier, String name, CellType type) {
  /**
   * Parses {@code family:qualifier[=name][:type]}. The default name is {@code family:qualifier},
   * the default type {@code string}.
   *
   * @throws IllegalArgumentException if the text has no family or an unknown type
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

  /** Returns a column of text whose qualifier is its name. */
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
   * Returns a value for people to read; null if there is none. Bytes that are not a value of the
   * type appear as hexadecimal digits after {@code 0x}, so that damaged cells are visible.
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
