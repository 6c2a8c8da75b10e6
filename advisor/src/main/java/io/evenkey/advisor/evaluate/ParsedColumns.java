/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.field.Field;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The values of a sample's columns as the types of layouts have them: each different value is read
 * from its text once, whatever layouts are tried. Thread-safe.
 */
public final class ParsedColumns {
  /**
   * A column's different values.
   *
   * @param objects each of them
   * @param numbers the same where they are whole numbers, else empty
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Parsed(Object[] objects, long[] numbers) {}

  private final Sample sample;
  private final Map<String, Parsed> known = new ConcurrentHashMap<>();

  /** The columns of a sample. */
  public ParsedColumns(Sample sample) {
    this.sample = sample;
  }

  public Sample sample() {
    return sample;
  }

  /**
   * The values of a field.
   *
   * @throws io.evenkey.layout.field.ValueException if one is none of its type
   */
  Parsed of(Field field) {
    String type = field.name() + ":" + field.type();
    Parsed parsed = known.get(type);
    if (parsed == null) {
      parsed = parse(field);
      known.put(type, parsed);
    }
    return parsed;
  }

  private Parsed parse(Field field) {
    Column column = sample.column(field.name());
    Object[] objects = new Object[column.values().size()];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = field.parse(column.values().get(i));
    }
    boolean whole = objects.length > 0 && objects[0] instanceof Long;
    long[] numbers = new long[whole ? objects.length : 0];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (Long) objects[i];
    }
    return new Parsed(objects, numbers);
  }
}
