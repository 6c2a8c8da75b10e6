/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.client.internal.zookeeper.RegistrySettings;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * The paths of nodes in ZooKeeper, under one root.
 *
 * <pre>
 * /evenkey                                      {"format":1}
 * /evenkey/plans/namespaces/NAMESPACE           a plan
 * /evenkey/plans/tables/NAMESPACE/TABLE         a plan
 * /evenkey/tables/NAMESPACE/TABLE               its recorded layout
 * /evenkey/migrations/NAMESPACE/TABLE          its last migration, and its generation
 * /evenkey/migrators/NAMESPACE/TABLE           the lock of the running migration
 * /evenkey/indexes/NAMESPACE/TABLE/INDEX       the work on an index
 * </pre>
 *
 * Under each plan, {@code change-NNNNNNNNNN} are its last versions, the newest with the highest
 * number.
 *
 * @param root the path of the root
 */
record Nodes(String root) {
  static final String CHANGE = "change-";

  /** Checks the path. */
  Nodes {
    if (!root.matches("(/[A-Za-z0-9._-]+)+")) {
      throw new EvenkeyArgumentException(
          "not a path in ZooKeeper: "
              + RegistrySettings.ROOT
              + "="
              + root
              + "; expected as in "
              + Setting.ZOOKEEPER_ROOT.initial());
    }
  }

  String plans() {
    return root + "/plans";
  }

  String namespacePlans() {
    return plans() + "/namespaces";
  }

  String tablePlans() {
    return plans() + "/tables";
  }

  String tables() {
    return root + "/tables";
  }

  String migrations() {
    return root + "/migrations";
  }

  String migration(TableName table) {
    return under(migrations(), table);
  }

  String migrator(TableName table) {
    return under(root + "/migrators", table);
  }

  String index(TableName table, String index) {
    return under(root + "/indexes", table) + "/" + index;
  }

  String plan(Scope scope) {
    return scope instanceof Scope.Table table
        ? under(tablePlans(), table.name())
        : namespacePlans() + "/" + ((Scope.Namespace) scope).name();
  }

  String layout(TableName table) {
    return under(tables(), table);
  }

  static Nodes of(Configuration configuration) {
    return new Nodes(RegistrySettings.root(configuration));
  }

  private static String under(String parent, TableName table) {
    return parent + "/" + table.getNamespaceAsString() + "/" + table.getQualifierAsString();
  }
}
