/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Step;
import io.evenkey.layout.spread.Steps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Shows the steps of a salt in the output of commands. Stateless. */
final class StepRows {
  private StepRows() {}

  /** All steps of a layout, in words; none if the number of buckets never changes. */
  static List<String> all(Layout layout) {
    return IntStream.range(0, layout.steps().list().size())
        .mapToObj(layout.steps()::described)
        .toList();
  }

  /** A step in JSON. */
  static Map<String, @Nullable Object> json(Steps steps, int step) {
    Step shown = steps.list().get(step);
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("buckets", shown.buckets());
    document.put("field", steps.fieldName());
    document.put("from", shown.from());
    return document;
  }

  /** All steps in JSON. */
  static List<Map<String, @Nullable Object>> json(Steps steps) {
    return IntStream.range(0, steps.list().size()).mapToObj(step -> json(steps, step)).toList();
  }
}
