/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hashes a layout line can name. A new one is a line here, and a file of its own unless the
 * platform has it.
 */
public final class Hashes {
  private static final Map<String, Hash> BY_NAME = new LinkedHashMap<>();

  static {
    register(DigestHash.of("md5", "MD5", 16));
    register(DigestHash.of("sha1", "SHA-1", 20));
    register(DigestHash.of("sha256", "SHA-256", 32));
    register(DigestHash.of("sha512", "SHA-512", 64));
    register(new Murmur3());
    register(new Xxh3Digest());
  }

  private Hashes() {}

  private static void register(Hash hash) {
    BY_NAME.put(hash.name(), hash);
  }

  /** The hash of this name, or null if there is none. */
  public static @Nullable Hash named(String name) {
    return BY_NAME.get(name);
  }

  /** All names. */
  public static Collection<String> names() {
    return BY_NAME.keySet();
  }
}
