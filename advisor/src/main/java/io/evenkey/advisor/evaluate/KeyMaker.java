/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.layout.Layout;
import io.evenkey.layout.RowWriter;
import io.evenkey.layout.field.Field;
import java.util.List;

/**
 * Makes the rows of a sample under a layout. Every different value of a column is read from its
 * text once. For one thread.
 */
final class KeyMaker {
  private final RowWriter writer;
  private final int[][] codes;
  private final Object[][] objects;
  private final long[][] numbers;

  /**
   * @throws io.evenkey.layout.field.ValueException if a value cannot stand in the layout's keys
   */
  KeyMaker(ParsedColumns columns, Layout layout) {
    writer = layout.writer();
    List<Field> fields = layout.fields();
    codes = new int[fields.size()][];
    objects = new Object[fields.size()][];
    numbers = new long[fields.size()][];
    for (int f = 0; f < codes.length; f++) {
      Field field = fields.get(f);
      ParsedColumns.Parsed parsed = columns.of(field);
      codes[f] = columns.sample().column(field.name()).codes();
      objects[f] = parsed.objects();
      numbers[f] = parsed.numbers();
    }
  }

  /** The row of a record, in a new array. */
  byte[] row(int record) {
    writer.start();
    for (int f = 0; f < codes.length; f++) {
      int code = codes[f][record];
      if (numbers[f].length > 0) {
        writer.put(numbers[f][code]);
      } else {
        writer.put(objects[f][code]);
      }
    }
    return writer.row();
  }
}
