/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether the region servers count the hot keys of a table: the value {@value #KEY} of its
 * descriptor. Text: {@code off}, {@code on}, or {@code 1/N} to count one of N operations.
 *
 * @param oneIn how many operations there are to one that is counted, on average; 0 for off
 */
public record HotKeySetting(int oneIn) {
  /** The value of a table's descriptor. */
  public static final String KEY = "EVENKEY_HOT_KEYS";

  /** No counting, as without the value. */
  public static final HotKeySetting OFF = new HotKeySetting(0);

  /** One of 256 operations. */
  public static final HotKeySetting ON = new HotKeySetting(256);

  private static final int MOST = 65_536;
  private static final Pattern SHARE = Pattern.compile("1/([1-9]\\d{0,4})");

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is not from 0 to 65,536
   */
  public HotKeySetting {
    if (oneIn < 0 || oneIn > MOST) {
      throw new EvenkeyArgumentException(
          "out of range: one in " + oneIn + " operations; give 1 to " + MOST);
    }
  }

  /**
   * Reads the text of a descriptor.
   *
   * @param text the value; null, as without one, is off
   * @throws IllegalArgumentException if it is not understood
   */
  public static HotKeySetting parse(@Nullable String text) {
    String value = text == null ? "off" : text.trim();
    if (value.equalsIgnoreCase("off")) {
      return OFF;
    }
    if (value.equalsIgnoreCase("on")) {
      return ON;
    }
    Matcher share = SHARE.matcher(value);
    if (share.matches()) {
      return new HotKeySetting(Integer.parseInt(share.group(1)));
    }
    throw new EvenkeyArgumentException(
        "setting of hot keys not understood: " + value + "; expected on, off or 1/N");
  }

  /** Whether operations are counted. */
  public boolean counts() {
    return oneIn > 0;
  }

  /** The text, as {@link #parse} reads it. */
  @Override
  public String toString() {
    return counts() ? "1/" + oneIn : "off";
  }
}
