/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyHashesTest {
  private static byte[] key(int number) {
    return ("key-" + number).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void countsHowOftenEachKeyHadComeWhileItGrows() {
    SplittableRandom random = new SplittableRandom(20261121L);
    KeyHashes hashes = new KeyHashes(1_000_000);
    Map<Integer, Integer> times = new HashMap<>();
    for (int i = 0; i < 60_000; i++) {
      int number = random.nextInt(30_000);
      assertThat(hashes.add(key(number))).isEqualTo(times.merge(number, 1, Integer::sum) - 1);
    }
    assertThat(hashes.keys()).isEqualTo(times.size());
    assertThat(hashes.isFull()).isFalse();
  }

  @Test
  void remembersNoMoreKeysThanItMay() {
    KeyHashes hashes = new KeyHashes(100);
    for (int i = 0; i < 20_000; i++) {
      assertThat(hashes.add(key(i))).isZero();
    }
    assertThat(hashes.isFull()).isTrue();
    assertThat(hashes.keys()).isEqualTo(100);
    assertThat(hashes.add(key(99))).as("remembered").isEqualTo(1);
    assertThat(hashes.add(key(100))).as("came when it was full").isZero();
  }
}
