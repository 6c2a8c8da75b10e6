/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;

/**
 * A range of physical rows as JSON.
 *
 * @param stopHex the first row after the range; empty if it has no end
 * @param start the first row in readable form
 * @param stop the first row after the range in readable form; empty if it has no end
 */
@JsonNaming(SnakeCaseStrategy.class)
public record KeyRangeJson(String startHex, String stopHex, String start, String stop) {
  /** A range. */
  public static KeyRangeJson of(KeyRange range) {
    return new KeyRangeJson(
        ByteText.hex(range.start()),
        ByteText.hex(range.stop()),
        ByteText.printable(range.start()),
        range.isOpenEnded() ? "" : ByteText.printable(range.stop()));
  }
}
