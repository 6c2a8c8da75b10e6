/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

/**
 * A row that two tables do not have alike.
 *
 * @param kind the kind of the difference
 * @param key its logical key
 * @param label the key in readable form
 */
@SuppressWarnings("ArrayRecordComponent") // shown, never compared
public record Difference(Kind kind, byte[] key, String label) {
  /** The kind of a row's difference. */
  public enum Kind {
    /** Only the first table has it. */
    MISSING,
    /** Only the second table has it. */
    EXTRA,
    /** Both have it, with other cells. */
    CELLS,
    /**
     * Both change so often that they were never seen alike, nor at rest: whether they differ is not
     * known while a client writes.
     */
    BUSY
  }

  /** Whether that is not known, since the row was never at rest. */
  public boolean isBusy() {
    return kind == Kind.BUSY;
  }
}
