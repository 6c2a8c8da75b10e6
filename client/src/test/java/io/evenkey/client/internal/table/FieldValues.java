/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one of HBase's requests, those that it hides too, as text. Those of its attributes
 * that are Evenkey's are left out.
 */
final class FieldValues {
  private FieldValues() {}

  /** By the fields' names; each attribute stands for itself, as {@code @name}. */
  static Map<String, String> of(Object request) throws IllegalAccessException {
    Map<String, String> values = new TreeMap<>();
    for (Class<?> type = request.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          add(values, field.getName(), field.get(request));
        }
      }
    }
    return values;
  }

  private static void add(Map<String, String> values, String name, @Nullable Object value) {
    if (name.equals("attributes")) {
      Map<?, ?> attributes = value == null ? Map.of() : (Map<?, ?>) value;
      attributes.forEach(
          (key, bytes) -> {
            if (!key.toString().startsWith("evenkey.")) {
              values.put("@" + key, text(bytes));
            }
          });
    } else if (!name.equals("heapSize")) {
      values.put(name, text(value));
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return Bytes.toStringBinary(bytes);
    } else if (value instanceof Cell cell) {
      return CellUtil.getCellKeyAsString(cell, whole -> "") + "=" + text(CellUtil.cloneValue(cell));
    } else if (value instanceof Filter filter) {
      return filter.getClass().getSimpleName() + " " + filter;
    } else if (value instanceof Map<?, ?> map) {
      Map<String, String> sorted = new TreeMap<>();
      map.forEach((key, each) -> sorted.put(text(key), text(each)));
      return sorted.toString();
    } else if (value instanceof Iterable<?> several) {
      List<String> each = new ArrayList<>();
      several.forEach(one -> each.add(text(one)));
      return each.toString();
    } else if (value != null && value.getClass().isArray()) {
      return "array of " + Array.getLength(value);
    }
    return String.valueOf(value);
  }
}
