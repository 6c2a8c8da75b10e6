/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * An HBase filter that would pass other rows on a spread table than on a plain one, for example
 * because it ends the scan at a row. The client rejects it instead of returning wrong rows. {@code
 * docs/filters.md} lists which filters work.
 *
 * <p>Not retriable, code {@code filter}. Use a condition, bounds or a limit instead.
 */
public final class UnsupportedFilterException extends EvenkeyArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Rejects a filter.
   *
   * @param why the wrong result that it would give
   */
  public UnsupportedFilterException(Filter filter, String why) {
    this(filter.getClass().getSimpleName(), why);
  }

  /**
   * Rejects a filter or comparator by its name.
   *
   * @param why the wrong result that it would give
   */
  public UnsupportedFilterException(String name, String why) {
    super(
        FailureCode.FILTER,
        FailureMessage.of("filter not possible on a spread table").with("filter", name).remedy(why),
        null);
    RefusalCounts.count("filter");
  }
}
