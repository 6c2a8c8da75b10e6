/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A setter of one of HBase's requests or builders, whatever HBase calls it, with a value that is
 * not what the request has without it.
 *
 * @param arguments those that it is called with
 */
record Setter(Method method, List<Object> arguments) {
  static final byte[] ROW = Bytes.toBytes("row");
  static final byte[] FAMILY = Bytes.toBytes("d");

  /** Names of methods that begin so change nothing. */
  private static final List<String> READ =
      List.of(
          "get", "is", "has", "to", "num", "size", "heap", "compare", "build", "cell", "doLoad");

  /** All setters of a class of HBase's, with each value that its parameters can be tried with. */
  static List<Setter> of(Class<?> type) {
    List<Setter> setters = new ArrayList<>();
    Method[] methods = type.getMethods();
    Arrays.sort(methods, Comparator.comparing(Method::toString));
    for (Method method : methods) {
      boolean isHBases =
          method.getDeclaringClass().getName().startsWith("org.apache.hadoop.hbase.");
      boolean changes = READ.stream().noneMatch(name -> method.getName().startsWith(name));
      boolean isOwn = !method.isBridge() && !Modifier.isStatic(method.getModifiers());
      boolean returnsItself =
          method.getReturnType() == void.class || method.getReturnType().isAssignableFrom(type);
      if (isHBases && changes && isOwn && returnsItself) {
        setters.add(new Setter(method, arguments(type, method)));
      }
    }
    return setters;
  }

  /**
   * Calls it.
   *
   * @throws UnsupportedOperationException if HBase has it only to refuse it
   */
  <T> T on(T request) throws Exception {
    try {
      method.invoke(request, arguments.toArray());
      return request;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UnsupportedOperationException refused) {
        throw refused;
      }
      throw new AssertionError(this + " failed", e.getCause());
    }
  }

  String name() {
    return method.getName();
  }

  private static List<Object> arguments(Class<?> type, Method method) {
    List<Object> arguments = new ArrayList<>();
    long number = 5;
    for (Parameter parameter : method.getParameters()) {
      arguments.add(argument(type, method, parameter.getType(), number++));
    }
    return arguments;
  }

  private static Object argument(Class<?> type, Method method, Class<?> parameter, long number) {
    Map<Class<?>, Object> samples =
        Map.ofEntries(
            Map.entry(int.class, (int) number),
            Map.entry(long.class, number),
            Map.entry(boolean.class, !isTrueWithoutIt(method.getName())),
            Map.entry(String.class, "name"),
            Map.entry(byte[].class, FAMILY),
            Map.entry(ByteBuffer.class, ByteBuffer.wrap(FAMILY)),
            Map.entry(TimeUnit.class, TimeUnit.SECONDS),
            Map.entry(Filter.class, new KeyOnlyFilter()),
            Map.entry(Consistency.class, Consistency.TIMELINE),
            Map.entry(IsolationLevel.class, IsolationLevel.READ_UNCOMMITTED),
            Map.entry(Scan.ReadType.class, Scan.ReadType.PREAD),
            Map.entry(Durability.class, Durability.FSYNC_WAL),
            Map.entry(CompareOperator.class, CompareOperator.LESS),
            Map.entry(TimeRange.class, TimeRange.between(3, 4)),
            Map.entry(Authorizations.class, new Authorizations("label")),
            Map.entry(CellVisibility.class, new CellVisibility("label")),
            Map.entry(Permission.class, permission()));
    Object sample = samples.get(parameter);
    return sample == null ? special(type, method, parameter) : sample;
  }

  private static boolean isTrueWithoutIt(String name) {
    return List.of("setCacheBlocks", "setReturnResults").contains(name);
  }

  private static Permission permission() {
    return Permission.newBuilder().withActions(Permission.Action.READ).build();
  }

  private static Object special(Class<?> type, Method method, Class<?> parameter) {
    return switch (method.getName()) {
      case "setACL" -> Map.of("user", permission());
      case "setFamilyMap" -> byFamily(qualifiers());
      case "setFamilyCellMap" -> byFamily(new ArrayList<>(List.of(cell(type))));
      case "setClusterIds" -> List.of(new UUID(1, 2));
      case "setRequestAttributes" -> Map.of("name", FAMILY);
      case "pool" -> ForkJoinPool.commonPool();
      case "listener" -> (BufferedMutator.ExceptionListener) (failure, mutator) -> {};
      default -> {
        if (parameter != Cell.class) {
          throw new AssertionError(
              "setter of HBase's that is not decided about: "
                  + method
                  + "; give it a value here, and see what becomes of it on each path");
        }
        yield cell(type);
      }
    };
  }

  private static NavigableSet<byte[]> qualifiers() {
    NavigableSet<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    qualifiers.add(FAMILY);
    return qualifiers;
  }

  private static <V> Map<byte[], V> byFamily(V value) {
    Map<byte[], V> map = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    map.put(FAMILY, value);
    return map;
  }

  private static Cell cell(Class<?> type) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(ROW)
        .setFamily(FAMILY)
        .setQualifier(FAMILY)
        .setTimestamp(7)
        .setType(type == Delete.class ? Cell.Type.DeleteColumn : Cell.Type.Put)
        .setValue(type == Put.class ? FAMILY : Bytes.toBytes(1L))
        .build();
  }

  @Override
  public String toString() {
    return method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }
}
