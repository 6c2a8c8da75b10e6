/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.DescribedIndex;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** The names in a cluster that users type. Stateless. */
final class ClusterNames {
  private ClusterNames() {}

  /** Tables that applications name: without generations, tables of indexes and Evenkey's own. */
  static List<String> tables(Cluster cluster) throws IOException {
    Set<String> all = new TreeSet<>();
    try (Admin admin = cluster.connection().getAdmin()) {
      Arrays.stream(admin.listTableNames())
          .filter(table -> !table.getNamespaceAsString().equals("evenkey"))
          .forEach(table -> all.add(table.getNameAsString()));
    }
    cluster.registry().migrations().all().forEach(one -> all.add(one.table().getNameAsString()));
    return all.stream().filter(name -> !belongsToAnother(name, all)).toList();
  }

  // Generations are TABLE.gN, and the table of an index is TABLE.INDEX.
  private static boolean belongsToAnother(String name, Set<String> all) {
    int dot = name.lastIndexOf('.');
    return dot > 0 && all.contains(name.substring(0, dot));
  }

  /** Tables and namespaces that have a plan. */
  static List<String> plans(Cluster cluster) throws IOException {
    return cluster.registry().plans().all().keySet().stream()
        .filter(scope -> !scope.isSystem())
        .map(Scope::toString)
        .sorted()
        .toList();
  }

  /** The indexes of a table. */
  static List<String> indexes(Cluster cluster, TableName table) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      TableName generation =
          LastMigration.generation(cluster.connection(), cluster.registry(), table);
      return DescribedIndex.of(admin.getDescriptor(generation), cluster.registry()).stream()
          .map(one -> one.index().name())
          .toList();
    }
  }
}
