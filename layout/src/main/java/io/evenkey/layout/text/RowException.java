/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

import io.evenkey.layout.bytes.ByteText;

/**
 * Bytes that are not a row or key of the layout. The message says what is wrong, at which byte, and
 * shows the bytes. In a table, it means that something wrote the row under another layout.
 */
public final class RowException extends LayoutException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 64;

  /**
   * Rejects a row.
   *
   * @param rule the broken rule
   * @param bytes the row
   * @param at the position of the byte where the problem was found, from 0
   */
  public RowException(String rule, byte[] bytes, int at) {
    super(
        "row does not fit its layout: "
            + rule
            + ": byte="
            + at
            + " row="
            + ByteText.printable(bytes, 0, Math.min(bytes.length, SHOWN))
            + (bytes.length > SHOWN ? "…" : "")
            + " length="
            + bytes.length
            + "; was it written under another layout?");
  }
}
