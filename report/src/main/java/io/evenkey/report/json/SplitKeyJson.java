/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.util.List;

/** A key to split a table at, as JSON: its bytes, and its fields in readable form. */
public record SplitKeyJson(String hex, String label) {
  /** Keys of a layout. */
  public static List<SplitKeyJson> all(Layout layout, List<byte[]> keys) {
    return keys.stream()
        .map(key -> new SplitKeyJson(ByteText.hex(key), layout.label(key)))
        .toList();
  }
}
