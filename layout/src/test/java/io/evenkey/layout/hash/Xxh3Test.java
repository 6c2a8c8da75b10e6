/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Xxh3Test {
  @Test
  void agreesWithAPublishedImplementationAtEveryLength() {
    SplittableRandom random = new SplittableRandom(20261120);
    for (int length = 0; length <= 3000; length++) {
      byte[] bytes = new byte[length + 7];
      random.nextBytes(bytes);
      assertThat(Xxh3.hash(bytes, 5, length))
          .as("hash of %d bytes", length)
          .isEqualTo(Hashing.xxh3_64().hashBytesToLong(bytes, 5, length));
    }
  }

  @Test
  void isFrozen() {
    assertThat(Xxh3.hash(new byte[0], 0, 0)).isEqualTo(0x2D06800538D394C2L);
  }
}
