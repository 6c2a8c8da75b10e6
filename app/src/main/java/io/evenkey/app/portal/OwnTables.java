package io.evenkey.app.portal;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.app.heat.history.HistoryTable;
import io.evenkey.app.heat.history.OwnNamespace;
import io.evenkey.app.portal.launch.PortalSettings;
import io.evenkey.client.hotkeys.HotKeyTable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables that a portal keeps in the cluster. Stateless. */
final class OwnTables {
  private static final Logger LOG = LoggerFactory.getLogger(OwnTables.class);

  private OwnTables() {}

  /**
   * Makes those that are missing, unless nothing may be changed.
   *
   * @return where the history of heat is kept, or null for nowhere
   * @throws IOException if it cannot be kept, though it is to be
   */
  static @Nullable HistoryTable open(PortalSettings settings, Cluster cluster) throws IOException {
    if (!settings.readOnly()) {
      hotKeys(cluster);
    }
    if (!settings.stored()) {
      return null;
    }
    try {
      // A read-only portal makes no table either, but shows what another one has stored.
      return settings.readOnly()
          ? HistoryTable.open(cluster.connection(), cluster.tables())
          : HistoryTable.create(cluster.connection(), cluster.tables());
    } catch (IOException e) {
      throw new IOException(
          "history of heat cannot be kept: table="
              + HistoryTable.NAME
              + "; --no-history keeps it in memory",
          e);
    }
  }

  // Clients report only when it is there; without it all else can be shown.
  private static void hotKeys(Cluster cluster) {
    try (Admin admin = cluster.connection().getAdmin()) {
      OwnNamespace.create(
          admin, cluster.tables(), HotKeyTable.NAME, HotKeyTable.LAYOUT, HotKeyTable.FAMILY);
    } catch (IOException e) {
      LOG.warn("no hot keys: {} cannot be made: {}", HotKeyTable.NAME, Problems.text(e));
    }
  }
}
