/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.doctor;

import io.evenkey.client.internal.catalog.DeclaredKeys;
import java.util.Set;

/** The names of Evenkey's settings. A test compares them with the sources. */
final class KnownSettings {
  static final Set<String> NAMES =
      Set.of(
          "evenkey.check",
          "evenkey.check.refuse.share",
          "evenkey.check.rows",
          "evenkey.check.sample",
          "evenkey.filters.row-blind",
          "evenkey.hotkeys",
          "evenkey.hotkeys.every.ms",
          "evenkey.hotkeys.secret",
          "evenkey.import.rows",
          "evenkey.key",
          "evenkey.layout.default",
          "evenkey.migration.wait.ms",
          "evenkey.registry",
          "evenkey.scan.budget.bytes",
          "evenkey.scan.idle.ms",
          "evenkey.scan.servers",
          "evenkey.unguarded.lookup.ms",
          "evenkey.zookeeper.acl",
          "evenkey.zookeeper.auth",
          "evenkey.zookeeper.quorum",
          "evenkey.zookeeper.root",
          "evenkey.zookeeper.sasl",
          "evenkey.zookeeper.timeout.ms",
          "evenkey.zookeeper.writers");

  /** Of region servers, whose files an application may read too. */
  static final Set<String> OF_SERVERS = Set.of("evenkey.guard.load.checked.bytes");

  private KnownSettings() {}

  /** Whether a setting has one of the names, or is the row key of a table. */
  static boolean isKnown(String name) {
    return NAMES.contains(name)
        || OF_SERVERS.contains(name)
        || name.startsWith(DeclaredKeys.OF_TABLE);
  }
}
