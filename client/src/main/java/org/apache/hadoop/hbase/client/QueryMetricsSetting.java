/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of single reads and checks, which region servers send with each result if the request
 * asks for them. HBase has them since 2.6.4, later than what the client is compiled against. In
 * earlier releases nothing asks for them, and no result has any. Thread-safe.
 */
public final class QueryMetricsSetting {
  private static final @Nullable Class<?> METRICS = metrics();
  private static final @Nullable MethodHandle IS_ASKED =
      method(Query.class, "isQueryMetricsEnabled", boolean.class);
  private static final @Nullable MethodHandle ASK =
      method(Query.class, "setQueryMetricsEnabled", Query.class, boolean.class);
  private static final @Nullable MethodHandle IS_ASKED_BY_CHECK =
      method(CheckAndMutate.class, "isQueryMetricsEnabled", boolean.class);
  private static final @Nullable MethodHandle ASK_BY_CHECK =
      method(
          CheckAndMutate.Builder.class,
          "queryMetricsEnabled",
          CheckAndMutate.Builder.class,
          boolean.class);
  private static final @Nullable MethodHandle OF_RESULT =
      method(Result.class, "getMetrics", METRICS);
  private static final @Nullable MethodHandle TO_RESULT =
      method(Result.class, "setMetrics", void.class, METRICS);
  private static final @Nullable MethodHandle OF_CHECK =
      method(CheckAndMutateResult.class, "getMetrics", METRICS);
  private static final @Nullable MethodHandle TO_CHECK =
      method(CheckAndMutateResult.class, "setMetrics", CheckAndMutateResult.class, METRICS);

  private QueryMetricsSetting() {}

  private static @Nullable Class<?> metrics() {
    try {
      return Class.forName("org.apache.hadoop.hbase.client.QueryMetrics");
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle method(
      Class<?> type, String name, @Nullable Class<?> result, @Nullable Class<?>... arguments) {
    if (METRICS == null) {
      return null;
    }
    try {
      MethodHandle found =
          MethodHandles.publicLookup()
              .findVirtual(type, name, MethodType.methodType(result, arguments));
      return found.asType(found.type().generic());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not public in this release of HBase: " + type + "." + name, e);
    }
  }

  /** Whether a read asks for metrics. */
  public static boolean isIn(Query query) {
    return IS_ASKED != null && (boolean) call(IS_ASKED, query);
  }

  /** Has a read ask for metrics if another one does. */
  public static void copy(Query from, Query to) {
    if (ASK != null && isIn(from)) {
      call(ASK, to, true);
    }
  }

  /** Has a check ask for metrics if another one does. */
  public static void copy(CheckAndMutate from, CheckAndMutate.Builder to) {
    if (ASK_BY_CHECK != null && (boolean) call(IS_ASKED_BY_CHECK, from)) {
      call(ASK_BY_CHECK, to, true);
    }
  }

  /** Gives a result the metrics of another. */
  public static Result copy(Result from, Result to) {
    copy(OF_RESULT, from, TO_RESULT, to);
    return to;
  }

  /** Gives the result of a check the metrics of another. */
  public static CheckAndMutateResult copy(CheckAndMutateResult from, CheckAndMutateResult to) {
    copy(OF_CHECK, from, TO_CHECK, to);
    return to;
  }

  private static void copy(
      @Nullable MethodHandle getter, Object from, @Nullable MethodHandle setter, Object to) {
    Object metrics = getter == null ? null : call(getter, from);
    if (metrics != null) {
      call(setter, to, metrics);
    }
  }

  private static @Nullable Object call(@Nullable MethodHandle method, Object of) {
    try {
      return method.invokeExact(of);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("metrics of queries are not available", e);
    }
  }

  private static @Nullable Object call(@Nullable MethodHandle method, Object of, Object value) {
    try {
      return method.invokeExact(of, value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("metrics of queries are not available", e);
    }
  }
}
