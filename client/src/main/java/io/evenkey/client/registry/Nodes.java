package io.evenkey.client.registry;

import org.apache.hadoop.hbase.TableName;

/**
 * Where things are in ZooKeeper, under one root.
 *
 * <pre>
 * /evenkey                                      {"format":1}
 * /evenkey/plans/namespaces/NAMESPACE           a plan
 * /evenkey/plans/tables/NAMESPACE/TABLE         a plan
 * /evenkey/tables/NAMESPACE/TABLE               the layout in force
 * /evenkey/moves/NAMESPACE/TABLE               its last move, and which generation it is
 * /evenkey/movers/NAMESPACE/TABLE              who moves it now, as Curator has locks
 * /evenkey/clients/ID                           a live client; goes with its session
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
      throw new IllegalArgumentException(
          "not a path in ZooKeeper: "
              + RegistrySettings.ROOT
              + "="
              + root
              + "; expected as in "
              + RegistrySettings.DEFAULT_ROOT);
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

  String moves() {
    return root + "/moves";
  }

  String move(TableName table) {
    return under(moves(), table);
  }

  String mover(TableName table) {
    return under(root + "/movers", table);
  }

  String plan(Scope scope) {
    return scope instanceof Scope.Table table
        ? under(tablePlans(), table.name())
        : namespacePlans() + "/" + ((Scope.Namespace) scope).name();
  }

  String inForce(TableName table) {
    return under(tables(), table);
  }

  private static String under(String parent, TableName table) {
    return parent + "/" + table.getNamespaceAsString() + "/" + table.getQualifierAsString();
  }
}
