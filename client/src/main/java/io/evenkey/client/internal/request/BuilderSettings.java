/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.request;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an application has set on one of HBase's builders, to be set on others: every setting that
 * HBase has or will have, since the calls themselves are kept. Immutable.
 */
public final class BuilderSettings {
  /** Nothing was set. */
  public static final BuilderSettings NONE = new BuilderSettings(List.of());

  private final List<Call> calls;

  private BuilderSettings(List<Call> calls) {
    this.calls = calls;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Call(Method method, @Nullable Object @Nullable [] arguments) {}

  /** These settings and another one, which was made after them. */
  public BuilderSettings with(Method method, @Nullable Object @Nullable [] arguments) {
    List<Call> more = new ArrayList<>(calls);
    more.add(new Call(method, arguments));
    return new BuilderSettings(List.copyOf(more));
  }

  /**
   * Makes the settings on another builder.
   *
   * @param builder of the same interface
   */
  public void to(Object builder) {
    for (Call call : calls) {
      try {
        call.method().invoke(builder, call.arguments());
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException(
            "setting of one builder not taken by another: " + call.method(), e);
      }
    }
  }
}
