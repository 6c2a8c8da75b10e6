/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.cell.CellType;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.field.Field;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Maps the components of a Java record to fields of a key and to columns. Immutable and
 * thread-safe.
 *
 * @param <R> the record
 */
final class RecordShape<R extends Record> {
  private final Constructor<R> constructor;
  private final List<Source> sources;

  /** The source of one component's value. */
  @FunctionalInterface
  private interface Source {
    @Nullable Object of(KeyedRow row);
  }

  private RecordShape(Constructor<R> constructor, List<Source> sources) {
    this.constructor = constructor;
    this.sources = sources;
  }

  /**
   * Maps a record to a table. A component is a column if {@code columns} has one of its name,
   * otherwise the field of its name.
   *
   * @param columns the columns, named as the components
   * @throws IllegalArgumentException if a component is neither a field nor a column, or if a column
   *     is no component
   */
  static <R extends Record> RecordShape<R> of(
      Class<R> type, Layout layout, List<CellColumn> columns) {
    Map<String, CellColumn> named = new LinkedHashMap<>();
    for (CellColumn column : columns) {
      if (named.put(column.name(), column) != null) {
        throw new EvenkeyArgumentException(
            "two columns of one name: name=" + column.name() + "; name each as its component");
      }
    }
    List<String> fields = layout.fields().stream().map(Field::name).toList();
    List<Source> sources = new ArrayList<>();
    RecordComponent[] components = type.getRecordComponents();
    for (RecordComponent component : components) {
      CellColumn column = named.remove(component.getName());
      if (column != null) {
        sources.add(row -> cell(row, column, component));
      } else if (fields.contains(component.getName())) {
        sources.add(row -> present(component, row.get(component.getName(), component.getType())));
      } else {
        throw new EvenkeyArgumentException(
            "record component is neither a field of the key nor a column: component="
                + component.getName()
                + " record="
                + type.getSimpleName()
                + " fields="
                + String.join(",", fields)
                + "; rename it, or add a column: family:qualifier="
                + component.getName()
                + ":type");
      }
    }
    if (!named.isEmpty()) {
      throw new EvenkeyArgumentException(
          "column is not a component of the record: column="
              + named.values().iterator().next()
              + " record="
              + type.getSimpleName()
              + "; give it the name of a component: family:qualifier=component:type");
    }
    return new RecordShape<>(constructor(type, components), List.copyOf(sources));
  }

  private static <R extends Record> Constructor<R> constructor(
      Class<R> type, RecordComponent[] components) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      return canonical;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor: " + type, e);
    }
  }

  private static @Nullable Object cell(KeyedRow row, CellColumn column, RecordComponent component) {
    byte[] bytes = row.value(Bytes.toBytes(column.family()), Bytes.toBytes(column.qualifier()));
    if (bytes == null) {
      return present(component, null);
    }
    if (component.getType() == byte[].class && column.type() == CellType.BYTES) {
      return bytes;
    }
    // Named as the component, so that a value that does not fit is reported by that name.
    return Values.of(component.getName(), column.type().decode(bytes))
        .get(component.getName(), component.getType());
  }

  private static @Nullable Object present(RecordComponent component, @Nullable Object value) {
    if (value == null && component.getType().isPrimitive()) {
      throw new EvenkeyArgumentException(
          "no value for a primitive component: component="
              + component.getName()
              + " type="
              + component.getType()
              + "; use the class of its objects, which can be null");
    }
    return value;
  }

  R record(KeyedRow row) {
    Object[] values = new Object[sources.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = sources.get(i).of(row);
    }
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new EvenkeyArgumentException(
          "constructor of the record rejected a row: row="
              + row.values()
              + " reason="
              + e.getCause(),
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record is not abstract and its constructor open", e);
    }
  }
}
