/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.layout.spread.Step;
import io.evenkey.layout.spread.Steps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The steps of a salt as JSON shows them. Stateless. */
public final class StepsJson {
  private StepsJson() {}

  /** One step. */
  public static Map<String, @Nullable Object> of(Steps steps, int step) {
    Step shown = steps.list().get(step);
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("buckets", shown.buckets());
    document.put("field", steps.fieldName());
    document.put("from", shown.from());
    return document;
  }

  /** All steps. */
  public static List<Map<String, @Nullable Object>> all(Steps steps) {
    return IntStream.range(0, steps.list().size()).mapToObj(step -> of(steps, step)).toList();
  }
}
