/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

import java.io.Serializable;

/**
 * A place in a line: where it starts and how long it is. Immutable.
 *
 * @param start the first character, counted from 0
 * @param length the number of characters, at least 1
 */
public record Span(int start, int length) implements Serializable {
  public static Span between(int start, int end) {
    return new Span(start, Math.max(1, end - start));
  }
}
