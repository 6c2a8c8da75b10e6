/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The home of all the client's meters: Micrometer's global registry, or the application's. Without
 * Micrometer, or with one that cannot be linked or refuses a meter, the client works without what
 * it would show: meters are never in the way of an operation. Thread-safe.
 */
public final class MeterHome {
  private static final Logger LOG = LoggerFactory.getLogger(MeterHome.class);

  private static @Nullable Meters home;
  private static @Nullable MeterRegistry registry;

  private MeterHome() {}

  /**
   * Sets the registry.
   *
   * @throws IllegalStateException if meters are in another one already
   */
  public static synchronized void set(MeterRegistry next) {
    if (home instanceof MicrometerMeters used && next != used.registry()) {
      throw new IllegalStateException(
          "meters are registered already: registry="
              + used.registry().getClass().getSimpleName()
              + "; set it before the first connection of the JVM is made");
    }
    registry = next;
  }

  private static synchronized Meters home() {
    Meters known = home;
    if (known == null) {
      known = found();
      home = known;
    }
    return known;
  }

  private static Meters found() {
    MeterRegistry set = registry;
    try {
      return set == null ? MicrometerMeters.global() : new MicrometerMeters(set);
    } catch (LinkageError e) {
      LOG.info(
          "no meters: for them, evenkey-client needs micrometer-core on the class path: {}",
          e.toString());
      return Meters.NONE;
    }
  }

  @FunctionalInterface
  private interface Registration<R> {
    R in(Meters meters);
  }

  private static <R> R register(Meters.Name name, Registration<R> registration) {
    try {
      return registration.in(home());
    } catch (RuntimeException | LinkageError e) {
      // Such as a registry that has another meter of this name.
      LOG.warn("meter not registered: name={}", name.name(), e);
      return registration.in(Meters.NONE);
    }
  }

  private static void show(Meters.Name name, Consumer<Meters> how) {
    register(
        name,
        meters -> {
          how.accept(meters);
          return Boolean.TRUE;
        });
  }

  static <T> void counter(Meters.Name name, T counted, ToDoubleFunction<T> count) {
    show(name, meters -> meters.counter(name, counted, count));
  }

  static <T> void gauge(Meters.Name name, T measured, ToDoubleFunction<T> value) {
    show(name, meters -> meters.gauge(name, measured, value));
  }

  static <T> void timer(
      Meters.Name name, T timed, ToDoubleFunction<T> times, ToDoubleFunction<T> nanos) {
    show(name, meters -> meters.timer(name, timed, times, nanos));
  }

  static IntConsumer summary(Meters.Name name) {
    return register(name, meters -> meters.summary(name));
  }

  static void count(Meters.Name name) {
    show(name, meters -> meters.count(name));
  }
}
