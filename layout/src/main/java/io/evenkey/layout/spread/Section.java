package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyRange;
import java.util.List;

/**
 * Logical keys and what their rows can begin with. The arrays are the maker's own.
 *
 * @param keys the keys, which may have rows with each of the prefixes
 * @param prefixes the prefixes, separator included
 */
public record Section(KeyRange keys, List<byte[]> prefixes) {
  /** Copies the list. */
  public Section {
    prefixes = List.copyOf(prefixes);
  }
}
