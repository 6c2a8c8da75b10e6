/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The number of mutations at which a buffered mutator sends them. HBase has it since 2.5.12 and
 * 2.6.4, later than what the client is compiled against. Thread-safe.
 */
public final class MutationLimit {
  private static final @Nullable MethodHandle OF_PARAMS =
      method(BufferedMutatorParams.class, "getMaxMutations", int.class);
  private static final @Nullable MethodHandle TO_PARAMS =
      method(
          BufferedMutatorParams.class, "setMaxMutations", BufferedMutatorParams.class, int.class);
  private static final @Nullable MethodHandle TO_BUILDER =
      method(
          AsyncBufferedMutatorBuilder.class,
          "setMaxMutations",
          AsyncBufferedMutatorBuilder.class,
          int.class);

  private MutationLimit() {}

  private static @Nullable MethodHandle method(
      Class<?> type, String name, Class<?> result, Class<?>... arguments) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(type, name, MethodType.methodType(result, arguments));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new LinkageError("not public in this release of HBase: " + type + "." + name, e);
    }
  }

  /** The limit in a mutator's parameters; 0 in a release that has none. */
  public static int of(BufferedMutatorParams params) {
    return OF_PARAMS == null ? 0 : (int) call(OF_PARAMS, params);
  }

  /** Gives the parameters the limit of others. */
  public static void copy(BufferedMutatorParams from, BufferedMutatorParams to) {
    if (TO_PARAMS != null) {
      call(TO_PARAMS, to, of(from));
    }
  }

  /** Gives the builder the limit of parameters, if they have one. */
  public static void copy(BufferedMutatorParams from, AsyncBufferedMutatorBuilder to) {
    int limit = of(from);
    if (TO_BUILDER != null && limit >= 0 && OF_PARAMS != null) {
      call(TO_BUILDER, to, limit);
    }
  }

  private static Object call(MethodHandle method, Object... arguments) {
    try {
      return method.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("limit of mutations is not available", e);
    }
  }
}
