/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A part of a logical key: a field's value, a literal, or reversed parts. Immutable; {@code
 * toString} is the part as a layout line spells it.
 */
public sealed interface Part {
  /** A value of the record. */
  record Value(Field field) implements Part {
    @Override
    public String toString() {
      return field.toString();
    }
  }

  /** A text that is the same in every key, as UTF-8. */
  record Literal(String text) implements Part {
    /** The bytes in the key. */
    public byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return Quoted.literal(text);
    }
  }

  /**
   * Parts whose bytes are stored last one first, so that the fast-moving end of a number or name
   * comes to the front and spreads the rows. The logical key contains them in normal order.
   */
  record Reverse(List<Part> parts) implements Part {
    /** Copies the list. */
    public Reverse {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return parts.stream().map(Part::toString).collect(Collectors.joining(" + ", "reverse(", ")"));
    }
  }
}
