package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
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
  KeyMaker(Sample sample, Layout layout) {
    writer = layout.writer();
    List<Field> fields = layout.fields();
    codes = new int[fields.size()][];
    objects = new Object[fields.size()][];
    numbers = new long[fields.size()][];
    for (int f = 0; f < codes.length; f++) {
      Field field = fields.get(f);
      Column column = sample.column(field.name());
      codes[f] = column.codes();
      Object[] values = column.values().stream().map(field::parse).toArray();
      objects[f] = values;
      numbers[f] = new long[0];
      if (values.length > 0 && values[0] instanceof Long) {
        numbers[f] = new long[values.length];
        for (int v = 0; v < values.length; v++) {
          numbers[f][v] = (Long) values[v];
        }
      }
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
