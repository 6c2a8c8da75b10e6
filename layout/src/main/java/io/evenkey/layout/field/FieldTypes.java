/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The field types that a layout line can name. A new type is a file of its own and a line here.
 * Stateless.
 */
public final class FieldTypes {
  /** The type of a field whose key begins with a reversed domain. */
  public static final FieldType DOMAIN = DomainType.INSTANCE;

  /** No type can be wider than a row of HBase: {@code HConstants.MAX_ROW_LENGTH}. */
  private static final int MAX_WIDTH = Short.MAX_VALUE;

  private static final Map<String, Function<Cursor, FieldType>> READERS = new LinkedHashMap<>();

  static {
    READERS.put("string", sized("width in bytes", StringType::new));
    READERS.put("bytes", sized("number of bytes", BytesType::new));
    READERS.put("digits", sized("number of digits", DigitsType::new));
    READERS.put("hex", FieldTypes::hex);
    for (int width : new int[] {1, 2, 4, 8}) {
      plain(IntegerType.signed(width));
      plain(width == 8 ? UnsignedLongType.INSTANCE : IntegerType.unsigned(width));
    }
    plain(IntegerType.positive("int", Integer.BYTES));
    plain(IntegerType.positive("long", Long.BYTES));
    plain(new FloatType(Float.BYTES));
    plain(new FloatType(Double.BYTES));
    plain(DecimalType.INSTANCE);
    plain(BoolType.INSTANCE);
    plain(UuidType.INSTANCE);
    READERS.put("timestamp", WrittenTimeType::read);
    plain(DateType.INSTANCE);
  }

  private FieldTypes() {}

  private static void plain(FieldType type) {
    READERS.put(type.toString(), cursor -> type);
  }

  private static Function<Cursor, FieldType> sized(String meaning, IntFunction<FieldType> type) {
    return cursor ->
        type.apply(cursor.peek().is("(") ? width(cursor, meaning) : FieldType.VARIABLE);
  }

  private static FieldType hex(Cursor cursor) {
    if (!cursor.peek().is("(")) {
      throw cursor.unexpected("'(' and the number of digits: hex(n)");
    }
    return new HexType(width(cursor, "number of digits"));
  }

  private static int width(Cursor cursor, String meaning) {
    cursor.expect("(");
    int width = cursor.expectNumber(meaning, 1, MAX_WIDTH);
    cursor.expect(")");
    return width;
  }

  /**
   * Reads a type with its arguments, such as {@code digits(6)}.
   *
   * @param cursor stands before the type's name; afterwards, behind its arguments
   * @throws io.evenkey.layout.text.SyntaxException if no type has this name, or if it cannot have
   *     these arguments
   */
  @SuppressWarnings("exports") // for the parser of layouts
  public static FieldType read(Cursor cursor) {
    Token name = cursor.expectName("a field type: " + String.join(", ", names()));
    Function<Cursor, FieldType> reader = READERS.get(name.text());
    if (reader == null) {
      throw cursor.unknown("field type", name, names());
    }
    return reader.apply(cursor);
  }

  /** Returns the names of all types. */
  public static Collection<String> names() {
    return READERS.keySet();
  }

  /** {@code name} or {@code name(width)}. */
  static String spelled(String name, int width) {
    return width == FieldType.VARIABLE ? name : name + "(" + width + ")";
  }
}
