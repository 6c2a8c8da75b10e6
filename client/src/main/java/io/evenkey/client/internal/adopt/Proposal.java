/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.adopt;

import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Steps;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A layout that a table may have been written under.
 *
 * @param fit its fit with the whole sample
 * @param system the program that writes such rows, in words
 * @param caution facts that the rows do not show and the operator has to know, or empty
 */
public record Proposal(FittingRows fit, String system, String caution) {
  /** A layout that is known, tried on some rows. */
  public static Proposal given(Layout layout, List<byte[]> rows) {
    return new Proposal(FittingRows.of(layout, rows), "as given", unseen(layout, rows));
  }

  // Rows say nothing of a step that none of them is of: any bucket count and any date would fit.
  private static String unseen(Layout layout, List<byte[]> rows) {
    Steps steps = layout.steps();
    Set<Integer> seen = new HashSet<>();
    for (byte[] row : rows) {
      if (!steps.isNone() && FittingRows.fits(layout, row)) {
        seen.add(layout.step(layout.logical(row)));
      }
    }
    return IntStream.range(0, steps.list().size())
        .filter(step -> !seen.contains(step))
        .mapToObj(step -> "none of the rows read belongs to the step: " + steps.described(step))
        .collect(Collectors.joining("; "));
  }
}
