/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.token.PlaceProblem;
import io.evenkey.layout.token.Token;

/** The rule that steps and slices are of fields in whose order rows are stored. Stateless. */
final class Reversal {
  private Reversal() {}

  /**
   * Refuses a field in {@code reverse(…)}.
   *
   * @param reference to the field
   * @param of what the field would have
   * @param consequence what would be wrong with it
   */
  static void refuse(Token reference, Field field, Key key, String of, String consequence) {
    for (Part part : key.parts()) {
      if (part instanceof Part.Reverse reverse && reverse.parts().contains(new Part.Value(field))) {
        throw new PlaceProblem(
            reference.span(),
            of + " of a reversed field",
            "rows are not in the order of a field in reverse(…): " + consequence);
      }
    }
  }
}
