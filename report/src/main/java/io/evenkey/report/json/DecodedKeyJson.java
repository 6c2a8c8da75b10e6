/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.evenkey.layout.Layout;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a key as JSON. Immutable.
 *
 * @param fields values by name, in the order of the layout
 * @param step of the salt that holds for the key; left out if the salt has no steps
 */
public record DecodedKeyJson(
    Map<String, @Nullable Object> fields,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StepJson step) {
  /**
   * A key.
   *
   * @param values of its fields by name
   */
  public static DecodedKeyJson of(
      Layout layout, byte[] logical, Map<String, @Nullable Object> values) {
    return new DecodedKeyJson(
        values, layout.steps().isNone() ? null : StepJson.of(layout.steps(), layout.step(logical)));
  }
}
