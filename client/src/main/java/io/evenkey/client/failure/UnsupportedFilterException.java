/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.failure.FailureMessage;
import org.apache.hadoop.hbase.filter.Filter;

/** A filter that would not let the same rows pass on a spread table as on a plain one. */
public final class UnsupportedFilterException extends EvenkeyArgumentException {
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
    super(
        FailureCode.FILTER,
        FailureMessage.of("filter not possible on a spread table").with("filter", name).remedy(why),
        null);
    RefusalCounts.count("filter");
  }
}
