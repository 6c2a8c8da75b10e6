/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Stage;
import java.io.Closeable;
import java.io.IOException;

/**
 * The work of each stage of a migration. It depends on the fence that keeps clients from a
 * generation that is left. All of it can be done again. Not thread-safe.
 */
interface Protocol extends Closeable {
  /** Takes over from the run before: what that still sends is refused from then on. */
  void claim() throws IOException;

  /** Sets how far the migration is to go; whether it can go there has been checked. */
  void aimFor(Stage goal) throws IOException;

  /** Does what the present stage is for; false if there is no more to do. */
  boolean advance() throws IOException;

  /** Removes the tables and snapshots that are not needed after the end. */
  void tidy() throws IOException;

  /** Whether clients use the target, and the source was dropped past Evenkey. */
  default boolean isWithoutSource() throws IOException {
    return false;
  }
}
