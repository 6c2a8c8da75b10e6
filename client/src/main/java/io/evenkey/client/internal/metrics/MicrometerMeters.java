/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;

/** Meters in a registry of Micrometer. Only this class uses Micrometer, which may be missing. */
record MicrometerMeters(MeterRegistry registry) implements Meters {
  /** Meters in Micrometer's global registry. */
  static Meters global() {
    return new MicrometerMeters(Metrics.globalRegistry);
  }

  @Override
  public <T> void counter(Name name, T counted, ToDoubleFunction<T> count) {
    FunctionCounter.builder(name.name(), counted, count)
        .description(name.description())
        .baseUnit(name.unit())
        .tags(name.tags())
        .register(registry);
  }

  @Override
  public <T> void gauge(Name name, T measured, ToDoubleFunction<T> value) {
    Gauge.builder(name.name(), measured, value)
        .description(name.description())
        .tags(name.tags())
        .register(registry);
  }

  @Override
  public <T> void timer(Name name, T timed, ToDoubleFunction<T> times, ToDoubleFunction<T> nanos) {
    FunctionTimer.builder(
            name.name(), timed, all -> (long) times.applyAsDouble(all), nanos, TimeUnit.NANOSECONDS)
        .description(name.description())
        .register(registry);
  }

  @Override
  public IntConsumer summary(Name name) {
    DistributionSummary summary =
        DistributionSummary.builder(name.name())
            .description(name.description())
            .baseUnit(name.unit())
            .register(registry);
    return summary::record;
  }

  @Override
  public void count(Name name) {
    Counter.builder(name.name())
        .description(name.description())
        .tags(name.tags())
        .register(registry)
        .increment();
  }
}
