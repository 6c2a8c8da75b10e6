/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.FieldValues;
import io.evenkey.layout.Values;
import java.util.Map;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * A row of a spread table, and the values of its key's fields. Immutable, if its arrays are left as
 * they are: they are the result's own.
 *
 * <pre>{@code
 * Instant time = row.getInstant("ts");
 * byte[] state = row.value(Bytes.toBytes("d"), Bytes.toBytes("state"));
 * }</pre>
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

  /** The values of the key's fields, and of those of an index: see {@link KeyedRows#fields}. */
  public Values values() {
    return values;
  }

  @Override
  public Map<String, @Nullable Object> asMap() {
    return values.asMap();
  }

  /**
   * The value of a field of the key, of the class that {@link Values} has for its type.
   *
   * @return null if the key has no value for it, as a key of Phoenix can
   * @throws io.evenkey.layout.field.UnknownFieldException if there is no such field
   */
  public @Nullable Object get(String field) {
    return get(field, Object.class);
  }

  /** The logical key. */
  public byte[] key() {
    return result.getRow();
  }

  /** The place behind which {@link Selection#after(ReadCursor)} continues. */
  public ReadCursor cursor() {
    return entry == null ? ReadCursor.of(form, key()) : entry;
  }

  /** The latest value of a column, or null if the row has none. */
  public byte @Nullable [] value(byte[] family, byte[] qualifier) {
    return result.getValue(family, qualifier);
  }

  /** All cells that were read, under the logical key. */
  public Result result() {
    return result;
  }

  @Override
  public String toString() {
    return values + " " + result;
  }
}
