/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.report.heat.history.SpanRate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A region, or a span of cold neighbours, with its load, as JSON. Immutable.
 *
 * @param region the region's encoded name; empty for several regions
 * @param startHex its first key
 * @param start its first key as text
 * @param server empty for several regions on several servers
 * @param load left out if it is not known
 */
@JsonNaming(SnakeCaseStrategy.class)
public record RegionLoadJson(
    String region,
    String startHex,
    String start,
    String server,
    @JsonUnwrapped @Nullable LoadJson load) {
  /** The regions and spans of a cell of the heat map. */
  public record RegionLoads(List<RegionLoadJson> spans) {
    /** Copies the list. */
    public RegionLoads {
      spans = List.copyOf(spans);
    }
  }

  /**
   * A span with its load.
   *
   * @param label its first key as text
   */
  public static RegionLoadJson of(SpanRate span, String label) {
    return new RegionLoadJson(
        span.region(),
        ByteText.hex(span.start()),
        label,
        span.server(),
        LoadJson.of(List.of(span)));
  }
}
