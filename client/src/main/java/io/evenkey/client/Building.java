package io.evenkey.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of HBase's builders, whose settings are the builder's own and whose product is put behind
 * something. As thread-safe as the builder.
 */
final class Building<B, T> implements InvocationHandler {
  /** Puts the same settings into another builder. */
  @FunctionalInterface
  interface Settings<B> {
    /** Returns the builder, as it builds what it was made for. */
    B into(B builder);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Setting(Method method, Object @Nullable [] arguments) {}

  private final B builder;
  private final BiFunction<T, Settings<B>, T> behind;
  private final List<Setting> settings = new ArrayList<>();

  private Building(B builder, BiFunction<T, Settings<B>, T> behind) {
    this.builder = builder;
    this.behind = behind;
  }

  /**
   * The same builder of another product.
   *
   * @param type the interface of the builder; its settings return the builder, {@code build} the
   *     product
   */
  static <B, T> B of(Class<? super B> type, B builder, Function<T, T> behind) {
    return withSettings(type, builder, (T product, Settings<B> settings) -> behind.apply(product));
  }

  /**
   * As {@link #of}, for products that need others like them.
   *
   * @param behind given the product and its settings
   */
  @SuppressWarnings("unchecked") // the type without its parameter
  static <B, T> B withSettings(
      Class<? super B> type, B builder, BiFunction<T, Settings<B>, T> behind) {
    return (B)
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new Building<>(builder, behind));
  }

  @Override
  @SuppressWarnings("unchecked") // what the builder builds
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object result = call(builder, method, arguments);
    if (method.getName().equals("build")) {
      List<Setting> all = List.copyOf(settings);
      return behind.apply((T) result, other -> set(all, other));
    }
    if (result == builder) {
      settings.add(new Setting(method, arguments));
      return proxy;
    }
    return result;
  }

  private static <B> B set(List<Setting> settings, B builder) {
    try {
      for (Setting setting : settings) {
        call(builder, setting.method, setting.arguments);
      }
      return builder;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("setting of a builder refused by another of its kind", e);
    }
  }

  private static @Nullable Object call(Object builder, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(builder, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
