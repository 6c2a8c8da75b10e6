/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.layout.spread.Step;
import io.evenkey.layout.spread.Steps;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A step of a salt as JSON. Immutable.
 *
 * @param buckets the number of buckets from the step on
 * @param field the field whose values the steps are at
 * @param from the first value of the step; null for the first step
 */
public record StepJson(int buckets, String field, @Nullable String from) {
  /** One step. */
  public static StepJson of(Steps steps, int step) {
    Step shown = steps.list().get(step);
    return new StepJson(shown.buckets(), steps.fieldName(), shown.from());
  }

  /** All steps. */
  public static List<StepJson> all(Steps steps) {
    return IntStream.range(0, steps.list().size()).mapToObj(step -> of(steps, step)).toList();
  }
}
