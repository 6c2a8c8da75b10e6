/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Keeps one copy of equal keys and names of many columns. Not thread-safe. */
final class Interner {
  private final Map<ByteBuffer, byte[]> keys = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

  byte[] key(byte[] key) {
    return keys.computeIfAbsent(ByteBuffer.wrap(key), same -> key);
  }

  String name(String name) {
    return names.computeIfAbsent(name, same -> same);
  }
}
