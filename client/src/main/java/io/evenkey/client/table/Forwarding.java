package io.evenkey.client.table;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Stands in for one of HBase's interfaces and hands every call on. Stateless. */
public final class Forwarding {
  private Forwarding() {}

  /** Says who gets a call. */
  @FunctionalInterface
  public interface Target<T> {
    /**
     * The object that gets it.
     *
     * @param method the method's name
     */
    T of(String method) throws Exception;
  }

  /** An object of an interface that hands its calls on. */
  public static <T> T to(Class<T> type, Target<T> target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call(target.of(method.getName()), method, arguments)));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
