/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.metrics.RefusalCounts;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/** A filter that would not let the same rows pass on a spread table as on a plain one. */
public final class UnsupportedFilterException extends IllegalArgumentException
    implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  /**
   * A filter and why it is refused.
   *
   * @param why the wrong result that it would give
   */
  public UnsupportedFilterException(Filter filter, String why) {
    this(filter.getClass().getSimpleName(), why);
  }

  /** A filter or comparator by its name, and why it is refused. */
  public UnsupportedFilterException(String name, String why) {
    super("filter not possible on a spread table: filter=" + name + "; " + why);
    RefusalCounts.count("filter");
  }

  @Override
  public String code() {
    return "filter";
  }

  @Override
  public @Nullable TableName table() {
    return null;
  }

  @Override
  public boolean isRetriable() {
    return false;
  }
}
