/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.field.FieldCodec;
import java.util.Arrays;

/**
 * Goes through a key element by element, as far as each element's end can be found. Used again and
 * again.
 */
final class KeyCursor {
  private final KeyElement[] elements;
  private final int[] spans;
  private byte[] key = {};
  private int limit;
  private boolean wholeKey;
  private int at;
  private int element;

  /**
   * A walk along keys of these elements.
   *
   * @param spans takes start and end of the value of each field passed
   */
  KeyCursor(KeyElement[] elements, int[] spans) {
    this.elements = elements;
    this.spans = spans;
  }

  /**
   * Stands before the first element of a key.
   *
   * @param whole whether the key ends at {@code limit}, rather than goes on
   */
  KeyCursor on(byte[] bytes, int offset, int end, boolean whole) {
    key = bytes;
    limit = end;
    wholeKey = whole;
    at = offset;
    element = 0;
    return this;
  }

  /** The element before which the walk stands. */
  int element() {
    return element;
  }

  /** The byte before which the walk stands. */
  int at() {
    return at;
  }

  int[] spans() {
    return spans;
  }

  /** Goes on to before element {@code end}, or to the first one that is not whole. */
  void to(int end) {
    while (element < end && take(elements[element])) {
      element++;
    }
  }

  void skipTo(int nextElement, int nextAt) {
    element = nextElement;
    at = nextAt;
  }

  private boolean take(KeyElement current) {
    FieldCodec codec = current.codec();
    if (codec == null) {
      return takeLiteral(current);
    }
    int end = codec.end(key, at, limit, wholeKey);
    if (end < 0) {
      return false;
    }
    spans[2 * current.field()] = at;
    spans[2 * current.field() + 1] = end;
    at = Math.min(limit, end + codec.markWidth());
    return true;
  }

  private boolean takeLiteral(KeyElement current) {
    byte[] literal = current.literal();
    if (literal == null
        || limit - at < literal.length
        || !Arrays.equals(key, at, at + literal.length, literal, 0, literal.length)) {
      return false;
    }
    at += literal.length;
    return true;
  }
}
