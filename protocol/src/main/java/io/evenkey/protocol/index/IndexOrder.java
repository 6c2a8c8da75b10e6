/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.scatter.Narrowing;
import java.util.List;
import java.util.Set;

/**
 * Whether an index gives rows in the order of the table's key. Only then a client reads by it
 * instead of the table without being asked to. Stateless.
 */
public final class IndexOrder {
  private IndexOrder() {}

  /**
   * Whether the rows that meet a condition have the same order by the keys of an index and by those
   * of its table: the fields of both, without those that the condition fixes to one value, are the
   * same ones in the same order and directions, up to the last of the table's.
   *
   * @param index the layout of the index, with all fields of the table's key
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
