/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.history.HistoryTable;
import io.evenkey.report.launch.PortalSettings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The tables that a portal keeps in the cluster. Stateless. */
final class OwnTables {
  private OwnTables() {}

  /**
   * Creates missing tables, unless the portal is read-only.
   *
   * @return the table of the heat history, or null if the history is in memory only
   * @throws IOException if the history is to be stored, but the table cannot be created
   */
  static @Nullable HistoryTable open(PortalSettings settings, Cluster cluster) throws IOException {
    if (!settings.stored()) {
      return null;
    }
    try {
      // A read-only portal creates no table, but shows the history that another portal has stored.
      return settings.readOnly()
          ? HistoryTable.open(cluster.connection(), cluster.tables())
          : HistoryTable.create(cluster.connection(), cluster.tables());
    } catch (IOException e) {
      throw new EvenkeyException(
          "history of heat cannot be kept: table="
              + HistoryTable.NAME
              + "; --no-history keeps it in memory",
          e);
    }
  }
}
