/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.scatter.Narrowing;
import java.util.List;
import java.util.Set;

/**
 * Whether an index returns rows in the order of the table's key. Only then does a client choose the
 * index by itself. Stateless.
 */
public final class IndexOrder {
  private IndexOrder() {}

  /**
   * Whether the rows that meet a condition have the same order by an index as by the table's key.
   * Leaving out the fields that the condition fixes to one value, both keys must have the same
   * fields in the same directions, up to the last field of the table's key.
   *
   * @param table the layout of the table's rows
   * @param index the layout of the index, completed with all fields of the table's key
   * @param narrowing the limits that the condition sets
   */
  public static boolean isOf(Layout table, Layout index, Narrowing narrowing) {
    List<Field> mine = varying(index, narrowing);
    List<Field> tables = varying(table, narrowing);
    // A key of the table is complete then: what follows in the index orders nothing any more.
    return mine.size() >= tables.size() && mine.subList(0, tables.size()).equals(tables);
  }

  private static List<Field> varying(Layout layout, Narrowing narrowing) {
    Set<String> constants = narrowing.constants();
    return layout.fields().stream().filter(field -> !constants.contains(field.name())).toList();
  }
}
