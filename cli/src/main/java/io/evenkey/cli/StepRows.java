/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.layout.Layout;
import java.util.List;
import java.util.stream.IntStream;

/** Shows the steps of a salt in the output of commands. Stateless. */
final class StepRows {
  private StepRows() {}

  /** All steps of a layout, in words; none if the number of buckets never changes. */
  static List<String> all(Layout layout) {
    return IntStream.range(0, layout.steps().list().size())
        .mapToObj(layout.steps()::described)
        .toList();
  }
}
