/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.layout.Explanation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a key, part by part, as JSON. Immutable.
 *
 * @param physical the physical row in readable form
 * @param bucket null if the layout has none
 * @param step of the salt that holds for the key; left out if the salt has no steps
 * @param steps all steps; left out if the salt has none
 */
@JsonNaming(SnakeCaseStrategy.class)
public record ExplainedKeyJson(
    String layout,
    String logicalHex,
    String physicalHex,
    String physical,
    int length,
    @Nullable Integer bucket,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StepJson step,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<StepJson> steps,
    List<KeyPart> parts,
    List<String> warnings,
    List<String> notes) {
  /** Copies the lists. */
  public ExplainedKeyJson {
    parts = List.copyOf(parts);
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
  }

  /**
   * A part of a key.
   *
   * @param text its bytes in readable form
   */
  public record KeyPart(String part, String hex, String text) {}

  /**
   * A key.
   *
   * @param odd warnings of its values
   */
  public static ExplainedKeyJson of(Layout layout, Explanation explained, List<String> odd) {
    byte[] physical = explained.physical();
    boolean hasSteps = !layout.steps().isNone();
    List<String> warnings = new ArrayList<>(odd);
    warnings.addAll(layout.warnings(physical.length));
    return new ExplainedKeyJson(
        layout.toString(),
        ByteText.hex(explained.logical()),
        ByteText.hex(physical),
        ByteText.printable(physical),
        physical.length,
        explained.bucket().isPresent() ? explained.bucket().getAsInt() : null,
        hasSteps ? StepJson.of(layout.steps(), layout.step(explained.logical())) : null,
        hasSteps ? StepJson.all(layout.steps()) : null,
        explained.pieces().stream()
            .map(
                piece ->
                    new KeyPart(
                        piece.part(),
                        ByteText.hex(piece.bytes()),
                        ByteText.printable(piece.bytes())))
            .toList(),
        warnings,
        Layout.rowLengthNotes(physical.length));
  }
}
