/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index;

import io.evenkey.client.failure.EvenkeyFailure;
import io.evenkey.layout.guard.Refusal;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/** A write to a table with indexes, or a read through one, that would break their guarantee. */
public final class IndexRefusedException extends DoNotRetryIOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  private IndexRefusedException(TableName table, String message) {
    super(message);
    this.table = table.getNameAsString();
  }

  /**
   * A refusal.
   *
   * @param rule the broken rule
   * @param values {@code name=value}, separated by blanks
   * @param remedy the way out
   */
  public static IndexRefusedException of(
      TableName table, String rule, String values, String remedy) {
    return new IndexRefusedException(
        table, rule + ": table=" + table.getNameAsString() + " " + values + "; " + remedy);
  }

  /**
   * As {@link #of}, by what the client knows of the table's indexes. It has the mark of a refusal
   * by a server: the client looks the table up again, and repeats the operation if the indexes are
   * others now.
   */
  static IndexRefusedException asKnown(TableName table, String rule, String values, String remedy) {
    return of(table, rule, values, remedy + " " + Refusal.LAYOUT.mark());
  }

  @Override
  public String code() {
    return "index";
  }

  @Override
  public TableName table() {
    return TableName.valueOf(table);
  }

  @Override
  public boolean isRetriable() {
    return false;
  }
}
