package io.evenkey.client.select;

import io.evenkey.layout.Values;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * A row of a spread table, and the values of its key's fields. Immutable, if its arrays are left as
 * they are: they are the result's own.
 */
public final class KeyedRow {
  private final Values values;
  private final Result result;

  KeyedRow(Values values, Result result) {
    this.values = values;
    this.result = result;
  }

  /** The values of the key's fields, by name. */
  public Values values() {
    return values;
  }

  /**
   * The value of a field of the key.
   *
   * @return null if there is no such field
   */
  public @Nullable Object get(String field) {
    return values.get(field);
  }

  /** The logical key; also a {@link Selection#after cursor} behind which a scan can go on. */
  public byte[] key() {
    return result.getRow();
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
