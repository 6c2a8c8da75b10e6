/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.hash.Xxh3;
import java.nio.charset.StandardCharsets;

/**
 * Eight bytes that name a layout in requests: XXH3 (64 bits, big-endian) of the layout's canonical
 * line in UTF-8. They are compared, never decoded. A wire format, so it never changes.
 */
public final class Stamp {
  private Stamp() {}

  /** The stamp of a layout. */
  public static byte[] of(Layout layout) {
    byte[] line = layout.toString().getBytes(StandardCharsets.UTF_8);
    return GuardAttributes.number(Xxh3.hash(line, 0, line.length));
  }
}
