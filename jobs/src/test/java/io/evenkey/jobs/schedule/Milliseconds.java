/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

/** The clock of clients and servers of one process. */
public final class Milliseconds {
  private Milliseconds() {}

  /**
   * Waits for the next millisecond after a deletion was acknowledged: HBase hides a put that gets
   * the deletion's timestamp, on any table.
   */
  public static void awaitNext() {
    long deleted = System.currentTimeMillis();
    while (System.currentTimeMillis() <= deleted) {
      Thread.onSpinWait();
    }
  }
}
