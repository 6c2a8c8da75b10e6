package io.evenkey.layout.field;

import io.evenkey.layout.text.Cursor;
import io.evenkey.layout.text.Token;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The field types a layout line can name. A new one is a file of its own and a line here. */
public final class FieldTypes {
  /** No type can be wider than a row of HBase: {@code HConstants.MAX_ROW_LENGTH}. */
  private static final int MAX_WIDTH = Short.MAX_VALUE;

  private static final Map<String, Function<Cursor, FieldType>> READERS = new LinkedHashMap<>();

  static {
    READERS.put("string", StringType::read);
    READERS.put("digits", DigitsType::read);
    READERS.put("int64", cursor -> Int64Type.INSTANCE);
    READERS.put("timestamp", cursor -> TimestampType.INSTANCE);
  }

  private FieldTypes() {}

  /** Reads a type with its arguments, such as {@code digits(6)}. */
  public static FieldType read(Cursor cursor) {
    Token name = cursor.expectName("a field type: " + String.join(", ", names()));
    Function<Cursor, FieldType> reader = READERS.get(name.text());
    if (reader == null) {
      throw cursor.unknown("field type", name, names());
    }
    return reader.apply(cursor);
  }

  /** All names. */
  public static Collection<String> names() {
    return READERS.keySet();
  }

  /** Reads {@code (n)} if it is there. */
  static int optionalWidth(Cursor cursor, String meaning) {
    if (!cursor.skip("(")) {
      return FieldType.VARIABLE;
    }
    int width = cursor.expectNumber(meaning, 1, MAX_WIDTH);
    cursor.expect(")");
    return width;
  }

  /** {@code name} or {@code name(width)}. */
  static String spelled(String name, int width) {
    return width == FieldType.VARIABLE ? name : name + "(" + width + ")";
  }
}
