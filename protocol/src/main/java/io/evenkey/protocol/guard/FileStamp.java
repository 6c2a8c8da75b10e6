/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

/**
 * The keys in the file info of an HFile by which the guard knows for which table it was written.
 */
public final class FileStamp {
  /** The {@link Stamp} of the layout by which the rows of the file were made. */
  public static final String LAYOUT = "EVENKEY_LAYOUT";

  /**
   * The {@linkplain GuardAttributes#number(long) number} of the run of a migration that wrote the
   * file, {@link GuardState#turn()}.
   */
  public static final String TURN = "EVENKEY_TURN";

  private FileStamp() {}
}
