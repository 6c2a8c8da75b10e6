/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/**
 * A scan in key order of a range that the layout stores in no order that could be merged: a
 * reversed part varies within the range, or the hash prefix is so long that nearly every row has
 * its own.
 *
 * <p>Not retriable, code {@code unordered-scan}. Add a condition that fixes these fields, or read
 * without order: {@link io.evenkey.client.SpreadTable#scanStored()}.
 */
public final class UnorderedScanException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  /** A scan of a table whose layout has no order for the range. */
  public UnorderedScanException(TableName table, Layout layout) {
    super(
        FailureCode.UNORDERED_SCAN,
        table,
        FailureMessage.of("rows cannot be read in logical order")
            .with("table", table)
            .with("layout", layout)
            .remedy(
                "fix the fields that are hashed or reversed to one value each, or read without"
                    + " order"));
  }
}
