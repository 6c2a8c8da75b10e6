/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import static java.util.stream.Collectors.toSet;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.report.heat.counters.TableReading.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The tables that applications name, and the physical table behind each, from the descriptors
 * alone. Stateless.
 *
 * <p>Of the generations of a table one is in use: the oldest that no guard has closed and whose
 * regions are open. A migration makes its next generation under a higher number; with the guard it
 * is closed until the switch, and without the guard the earlier one is disabled at the switch.
 */
public final class TablesInUse {
  /** The namespace of Evenkey's own tables. */
  public static final String OWN_NAMESPACE = "evenkey";

  private TablesInUse() {}

  /**
   * The tables by the name that applications use. A table whose descriptor the user may not read
   * has its own name.
   *
   * @param descriptors those that the user may read
   * @param open the physical tables with open regions
   */
  static Map<String, TableReading> of(Collection<TableDescriptor> descriptors, Set<String> open) {
    Map<String, TableDescriptor> inUse = new HashMap<>();
    Set<String> keys = new HashSet<>();
    for (TableDescriptor table : descriptors) {
      if (isGeneration(table)) {
        keys.add(NextKeys.table(table.getTableName()).getNameAsString());
      }
      if (open.contains(table.getTableName().getNameAsString()) && !isClosed(table)) {
        inUse.merge(name(table), table, TablesInUse::older);
      }
    }
    Map<String, TableReading> tables = new HashMap<>();
    inUse.forEach(
        (name, table) ->
            tables.put(
                name,
                new TableReading(
                    table.getTableName().getNameAsString(),
                    table.getValue(TableLayout.LAYOUT),
                    keys.contains(name) ? Kind.OWN : kind(table))));
    Set<String> described =
        descriptors.stream().map(table -> table.getTableName().getNameAsString()).collect(toSet());
    for (String hidden : open) {
      if (!described.contains(hidden)) {
        tables.putIfAbsent(
            hidden,
            new TableReading(
                hidden, null, isOwn(TableName.valueOf(hidden)) ? Kind.OWN : Kind.TABLE));
      }
    }
    return tables;
  }

  private static boolean isGeneration(TableDescriptor table) {
    return table.getValue(TableLayout.TABLE) != null;
  }

  private static String name(TableDescriptor table) {
    String of = table.getValue(TableLayout.TABLE);
    return of == null ? table.getTableName().getNameAsString() : of;
  }

  private static boolean isClosed(TableDescriptor table) {
    try {
      return TableGuard.state(table).mode() == GuardMode.CLOSED;
    } catch (IllegalArgumentException e) {
      // The state of a later version: the regions' counters are right all the same.
      return false;
    }
  }

  private static TableDescriptor older(TableDescriptor one, TableDescriptor other) {
    return number(one) <= number(other) ? one : other;
  }

  private static int number(TableDescriptor generation) {
    return Migration.generationOf(TableName.valueOf(name(generation)), generation.getTableName());
  }

  private static boolean isOwn(TableName table) {
    return table.getNamespaceAsString().equals(OWN_NAMESPACE);
  }

  private static Kind kind(TableDescriptor table) {
    if (isOwn(table.getTableName())) {
      return Kind.OWN;
    }
    return TableLayout.indexedTable(table) == null ? Kind.TABLE : Kind.INDEX;
  }
}
