/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.hash.Xxh3;
import io.evenkey.protocol.index.TableIndexes;
import java.nio.charset.StandardCharsets;

/**
 * Eight bytes that name a layout, and the indexes of the table, in requests: XXH3 (64 bits,
 * big-endian) of the layout's canonical line in UTF-8; of a table with indexes, of the line, a line
 * feed, and the canonical text of the indexes. So a client that knows the indexes of an earlier
 * version has another stamp. They are compared, never decoded. A wire format, so it never changes.
 */
public final class Stamp {
  private Stamp() {}

  /** The stamp of a layout of a table without indexes. */
  public static byte[] of(Layout layout) {
    return of(layout.toString());
  }

  /** The stamp of a layout of a table with these indexes. */
  public static byte[] of(Layout layout, TableIndexes indexes) {
    return indexes.isEmpty() ? of(layout) : of(layout + "\n" + indexes);
  }

  private static byte[] of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return GuardAttributes.number(Xxh3.hash(bytes, 0, bytes.length));
  }
}
