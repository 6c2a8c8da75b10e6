/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.report.heat.history.SpanRate;
import java.util.List;

/**
 * The load of regions as JSON. Immutable.
 *
 * @param reads read requests a second
 * @param writes write requests a second
 * @param megabytes the size
 */
public record LoadJson(double reads, double writes, double megabytes) {
  /** Returns the load of spans of a table. */
  public static LoadJson of(List<SpanRate> spans) {
    return new LoadJson(
        SpanRate.sum(spans, SpanRate::reads),
        SpanRate.sum(spans, SpanRate::writes),
        SpanRate.sum(spans, SpanRate::megabytes));
  }
}
