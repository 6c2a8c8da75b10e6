/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Prefix;

/** The ways in which people keep keys from being hot. */
public enum Family {
  /** Nothing but the order of the fields: what varies is promoted to the front. */
  PROMOTION("promotion", "no spread: the field that varies most stands in front"),
  /** A salt of the whole key. */
  SALT("salt", "a hash of the whole key picks the bucket; every range is read in all of them"),
  /** A salt of the leading fields. */
  AFFINE("affine salt", "a hash of the entity picks the bucket; its rows stay together"),
  /** A salt of slices of a time. */
  SLICES(
      "slices", "a hash of the moment picks a few buckets; a short scan in time opens only those"),
  /** A hash prefix. */
  HASH("hash", "a piece of the entity's hash in front; no order between entities"),
  /** A part stored backwards. */
  REVERSAL("reversal", "the fast end of a number in front; no order between numbers"),
  /** A bucket by chance. */
  RANDOM("random", "any bucket; a key alone does not give the row");

  private final String title;
  private final String meaning;

  Family(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  /** The family of a layout. */
  public static Family of(Layout layout) {
    Prefix prefix = layout.spread().prefix();
    if (prefix == null || prefix.width() == 0) {
      return layout.key().isReversed() ? REVERSAL : PROMOTION;
    }
    if (prefix.isRandom()) {
      return RANDOM;
    }
    if (layout.buckets().isEmpty() || !layout.toString().startsWith("salt(")) {
      return HASH;
    }
    if (!layout.slices().isNone()) {
      return SLICES;
    }
    return prefix.fields().isEmpty() ? SALT : AFFINE;
  }

  /** Its name in reports. */
  public String title() {
    return title;
  }

  /** Its effect, in a few words. */
  public String meaning() {
    return meaning;
  }
}
