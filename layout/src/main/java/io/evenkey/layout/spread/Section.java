/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyRange;
import java.util.List;

/**
 * Logical keys and what their rows can begin with. The arrays are the maker's own.
 *
 * @param keys the keys, which may have rows with each of the prefixes
 * @param prefixes the prefixes, separator included
 * @param steps the steps that keys here can be of, counted from 0; empty if the prefix has none
 */
public record Section(KeyRange keys, List<byte[]> prefixes, List<Integer> steps) {
  /** Copies the lists. */
  public Section {
    prefixes = List.copyOf(prefixes);
    steps = List.copyOf(steps);
  }
}
