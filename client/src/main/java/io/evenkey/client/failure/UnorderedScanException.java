/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.Layout;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/**
 * An ordered scan of rows whose layout keeps them in no order that could be merged: a reversed part
 * varies within the range, or the prefix is so long that nearly every row has its own.
 */
public final class UnorderedScanException extends DoNotRetryIOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  /** A scan of a table whose layout has no order for the range. */
  public UnorderedScanException(TableName table, Layout layout) {
    super(
        "rows cannot be read in logical order: table="
            + table.getNameAsString()
            + " layout="
            + layout
            + "; fix the fields that are hashed or reversed to one value each, or read without"
            + " order");
    this.table = table.getNameAsString();
  }

  @Override
  public String code() {
    return "unordered-scan";
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
