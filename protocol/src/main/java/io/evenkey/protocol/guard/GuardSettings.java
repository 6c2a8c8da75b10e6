/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

/** What an operator can set for the guard in the configuration of region servers. */
public final class GuardSettings {
  /** Configuration key: the bytes of one bulk load that are checked completely. */
  public static final String CHECKED_BYTES = "evenkey.guard.load.checked.bytes";

  /** The value of {@link #CHECKED_BYTES} unless set. */
  public static final long DEFAULT_CHECKED_BYTES = 128L << 20;

  private GuardSettings() {}
}
