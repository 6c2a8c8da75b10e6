/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.FieldValues;
import io.evenkey.layout.Values;
import java.util.Map;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * A row of a spread table with the decoded fields of its key.
 *
 * <pre>{@code
 * Instant time = reading.getInstant("ts");
 * byte[] state = reading.value(Bytes.toBytes("d"), Bytes.toBytes("state"));
 * }</pre>
 *
 * <p>Immutable as long as nobody changes the arrays that it returns: they belong to HBase's result
 * and are not copied.
 */
public final class KeyedRow implements FieldValues {
  private final Values values;
  private final Result result;
  private final @Nullable ReadCursor entry;
  private final String form;

  /**
   * A row that is read from the table.
   *
   * @param form that of its {@link ReadCursor}
   */
  KeyedRow(Values values, Result result, String form) {
    this.values = values;
    this.result = result;
    this.entry = null;
    this.form = form;
  }

  /** A row that is read through an index. */
  KeyedRow(Values values, Result result, ReadCursor entry) {
    this.values = values;
    this.result = result;
    this.entry = entry;
    this.form = "";
  }

  /**
   * The values of the fields that {@link KeyedRows#fields} lists: of the table's key, and of the
   * index if the row was read through one.
   */
  public Values values() {
    return values;
  }

  @Override
  public Map<String, @Nullable Object> asMap() {
    return values.asMap();
  }

  /**
   * Returns the value of a field in the Java class that {@link Values} lists for its type.
   *
   * @return null if the key has no value for the field, which only keys of Phoenix allow
   * @throws io.evenkey.layout.field.UnknownFieldException if no field has this name; lists all
   *     names
   */
  public @Nullable Object get(String field) {
    return get(field, Object.class);
  }

  /** The logical key. */
  public byte[] key() {
    return result.getRow();
  }

  /** The place after which {@link Selection#after(ReadCursor)} continues. */
  public ReadCursor cursor() {
    return entry == null ? ReadCursor.of(form, key()) : entry;
  }

  /** The latest value of a column, or null if the row has none. */
  public byte @Nullable [] value(byte[] family, byte[] qualifier) {
    return result.getValue(family, qualifier);
  }

  /** All cells that were read, with the logical key as their row. */
  public Result result() {
    return result;
  }

  @Override
  public String toString() {
    return values + " " + result;
  }
}
