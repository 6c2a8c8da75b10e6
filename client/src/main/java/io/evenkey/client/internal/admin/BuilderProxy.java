/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.admin;

import io.evenkey.client.internal.request.BuilderSettings;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One of HBase's builders, whose settings are the builder's own and whose product is put behind
 * something. As thread-safe as the builder.
 */
public final class BuilderProxy<B, T> implements InvocationHandler {
  private final B builder;
  private final BiFunction<T, BuilderSettings, T> behind;
  private BuilderSettings settings = BuilderSettings.NONE;

  private BuilderProxy(B builder, BiFunction<T, BuilderSettings, T> behind) {
    this.builder = builder;
    this.behind = behind;
  }

  /**
   * Gives a builder another product.
   *
   * @param type the interface of the builder; its settings return the builder, {@code build} the
   *     product
   * @param behind makes the product of the builder's, and of what was set on the builder
   */
  @SuppressWarnings("unchecked") // the type without its parameter
  public static <B, T> B of(
      Class<? super B> type, B builder, BiFunction<T, BuilderSettings, T> behind) {
    return (B)
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new BuilderProxy<>(builder, behind));
  }

  @Override
  @SuppressWarnings("unchecked") // what the builder builds
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object result;
    try {
      result = method.invoke(builder, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
    if (method.getName().equals("build")) {
      return behind.apply((T) result, settings);
    }
    if (result != builder) {
      return result;
    }
    settings = settings.with(method, arguments);
    return proxy;
  }
}
