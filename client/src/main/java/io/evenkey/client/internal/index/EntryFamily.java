/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import java.nio.charset.StandardCharsets;

/**
 * The column family of an index's table. Each write of a row has a column of its own there, whose
 * qualifier is the nonce of the write: 16 bytes. A {@link SettledEntry} has one more.
 */
public final class EntryFamily {
  static final byte[] NAME = "e".getBytes(StandardCharsets.US_ASCII);

  private EntryFamily() {}

  /** The name, in a new array. */
  public static byte[] name() {
    return NAME.clone();
  }
}
