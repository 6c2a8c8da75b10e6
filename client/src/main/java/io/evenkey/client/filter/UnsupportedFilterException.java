package io.evenkey.client.filter;

import io.evenkey.client.metrics.RefusalCounts;
import org.apache.hadoop.hbase.filter.Filter;

/** A filter that would not let the same rows pass on a spread table as on a plain one. */
public final class UnsupportedFilterException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * A filter and why it is refused.
   *
   * @param why the wrong result that it would give
   */
  public UnsupportedFilterException(Filter filter, String why) {
    this(filter.getClass().getSimpleName(), why);
  }

  UnsupportedFilterException(String name, String why) {
    super("filter not possible on a spread table: filter=" + name + "; " + why);
    RefusalCounts.count("filter");
  }
}
