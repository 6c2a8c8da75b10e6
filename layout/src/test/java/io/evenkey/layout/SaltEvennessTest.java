/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short, sequential and common-prefix keys, on which weak hashes show. */
class SaltEvennessTest {
  private static final int KEYS = 200_000;

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(ints = {3, 16, 100, 256})
  void bucketsFillAsEvenlyAsByChance(int buckets) {
    SplittableRandom random = new SplittableRandom(1);
    check(buckets, "sequential numbers", "n:int64", i -> i);
    check(buckets, "times a second apart", "n:int64", i -> 1_700_000_000_000L + 1000 * i);
    check(buckets, "sequential digits", "n:digits", Long::toString);
    check(buckets, "a common prefix", "n:string", i -> "customer/europe/device-" + i);
    check(buckets, "random numbers", "n:int64", i -> random.nextLong());
  }

  private static void check(int buckets, String keys, String field, LongFunction<Object> value) {
    Layout layout = Layout.parse("salt(" + buckets + ") + " + field);
    long[] counts = new long[buckets];
    for (long i = 0; i < KEYS; i++) {
      counts[layout.encode(Values.of("n", value.apply(i)))[0] & 0xff]++;
    }
    double mean = (double) KEYS / buckets;
    double chiSquared = 0;
    for (long count : counts) {
      chiSquared += (count - mean) * (count - mean) / mean;
    }
    // Chi-squared has mean N-1 and variance 2(N-1); five deviations happen once in a million.
    double limit = buckets - 1 + 5 * Math.sqrt(2.0 * (buckets - 1));
    assertThat(chiSquared).as("%s over %d buckets", keys, buckets).isLessThan(limit);
  }
}
