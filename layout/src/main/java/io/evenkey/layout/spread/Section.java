/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyRange;
import java.util.List;

/**
 * Logical keys, and the prefixes that their rows can have: one part of a scattered range. The
 * arrays are not copied.
 *
 * @param keys the keys
 * @param prefixes the prefixes, with separator; each key may have rows under each of them
 * @param steps the steps to which the keys can belong, counted from 0; empty if the prefix has none
 */
public record Section(KeyRange keys, List<byte[]> prefixes, List<Integer> steps) {
  /** Copies the lists. */
  public Section {
    prefixes = List.copyOf(prefixes);
    steps = List.copyOf(steps);
  }
}
