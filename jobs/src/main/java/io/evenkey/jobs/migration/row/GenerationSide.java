/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.layout.Layout;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is compared or repaired.
 *
 * @param layout its layout
 * @param keys the change by which its row keys are made of those of the other generation; null if
 *     rows have the same logical keys in both, or those of the other one are changed
 */
public record GenerationSide(TableName table, Layout layout, @Nullable KeyChange keys) {
  /** A generation whose row keys are not changed. */
  public GenerationSide(TableName table, Layout layout) {
    this(table, layout, null);
  }
}
