/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One row taken apart: which part of the layout line made which bytes. Made by {@link
 * Layout#explain}, for tools and for learning.
 *
 * <pre>{@code
 * for (Explanation.Piece piece : layout.explain(record).pieces()) {
 *   System.out.println(piece.part() + " -> " + ByteText.hex(piece.bytes()));
 * }
 * }</pre>
 *
 * <p>Immutable, except that the arrays are not copied.
 */
public final class Explanation {
  private final byte[] logical;
  private final byte[] physical;
  private final OptionalInt bucket;
  private final List<Piece> pieces;

  /**
   * The bytes of one part of the line.
   *
   * @param part the part as the line spells it
   * @param bytes its bytes in the physical row
   */
  @SuppressWarnings("ArrayRecordComponent") // shown, never compared
  public record Piece(String part, byte[] bytes) {}

  private Explanation(byte[] logical, byte[] physical, OptionalInt bucket, List<Piece> pieces) {
    this.logical = logical;
    this.physical = physical;
    this.bucket = bucket;
    this.pieces = List.copyOf(pieces);
  }

  static Explanation of(Layout layout, Values record) {
    byte[] logical = layout.logicalKey(record);
    byte[] physical = layout.physical(logical);
    Spread spread = layout.spread();
    Prefix prefix = spread.prefix();
    List<Piece> pieces = new ArrayList<>();
    if (prefix != null && prefix.width() > 0) {
      pieces.add(new Piece(prefix.toString(), Arrays.copyOf(physical, prefix.width())));
      if (spread.width() > prefix.width()) {
        byte[] separator = Arrays.copyOfRange(physical, prefix.width(), spread.width());
        String text = new String(separator, StandardCharsets.UTF_8);
        pieces.add(new Piece(Quoted.literal(text), separator));
      }
    }
    addParts(layout, record, physical, pieces);
    return new Explanation(
        logical, physical, prefix == null ? OptionalInt.empty() : prefix.bucket(physical), pieces);
  }

  // A part has as many bytes in the row as in the logical key, in the same place after the prefix.
  private static void addParts(Layout layout, Values record, byte[] physical, List<Piece> pieces) {
    Key key = layout.key();
    @Nullable Object[] values = layout.converted(record);
    KeyBuffer buffer = new KeyBuffer(physical.length);
    int element = 0;
    int at = layout.spread().width();
    for (Part part : key.parts()) {
      int elements = part instanceof Part.Reverse reverse ? reverse.parts().size() : 1;
      buffer.truncate(0);
      // Phoenix leaves nulls out at the end of a key, and the mark before them.
      if (!key.allowsNull() || at < physical.length) {
        key.writeElements(element, element + elements, values, buffer);
      }
      element += elements;
      int end = Math.min(physical.length, at + buffer.size());
      pieces.add(new Piece(part.toString(), Arrays.copyOfRange(physical, at, end)));
      at = end;
    }
  }

  /** The key as the application sees it. */
  public byte[] logical() {
    return logical.clone();
  }

  /** The row as HBase stores it. */
  public byte[] physical() {
    return physical.clone();
  }

  /** The number of the row's bucket; empty if the layout has no salt. */
  public OptionalInt bucket() {
    return bucket;
  }

  /** The parts in the order of the row. Their bytes, joined, are the physical row. */
  public List<Piece> pieces() {
    return pieces;
  }
}
