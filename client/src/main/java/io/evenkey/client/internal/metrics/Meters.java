/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Where the client's numbers are shown. Thread-safe. */
interface Meters {
  /** Nowhere: for applications without Micrometer. */
  Meters NONE =
      new Meters() {
        @Override
        public <T> void counter(Name name, T counted, ToDoubleFunction<T> count) {}

        @Override
        public <T> void gauge(Name name, T measured, ToDoubleFunction<T> value) {}

        @Override
        public <T> void timer(
            Name name, T timed, ToDoubleFunction<T> times, ToDoubleFunction<T> nanos) {}

        @Override
        public IntConsumer summary(Name name) {
          return value -> {};
        }

        @Override
        public void count(Name name) {}
      };

  /**
   * The name of a meter.
   *
   * @param unit null for none
   * @param tags names and values by turns
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Name(String name, String description, @Nullable String unit, String... tags) {}

  /** Shows a count that grows. */
  <T> void counter(Name name, T counted, ToDoubleFunction<T> count);

  /** Shows a value. */
  <T> void gauge(Name name, T measured, ToDoubleFunction<T> value);

  /** Shows how often something took how long. */
  <T> void timer(Name name, T timed, ToDoubleFunction<T> times, ToDoubleFunction<T> nanos);

  /** The distribution of the values that are given. */
  IntConsumer summary(Name name);

  /** Counts one. */
  void count(Name name);
}
