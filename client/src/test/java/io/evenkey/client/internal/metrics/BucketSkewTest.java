/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Prefix;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BucketSkewTest {
  private static final Prefix PREFIX =
      Objects.requireNonNull(Layout.parse("salt(4) + k:bytes").spread().prefix());

  private long nanos;
  private final BucketSkew skew = new BucketSkew(PREFIX, 4, () -> nanos);

  private void write(int bucket, int count) {
    skew.count(new byte[] {(byte) bucket, 1}, count);
  }

  @Test
  void isOneWithoutWrites() {
    assertThat(skew.now()).isEqualTo(1);
  }

  @Test
  void isTheShareOfTheBusiestBucketOverTheMean() {
    write(0, 5);
    write(1, 1);
    write(2, 1);
    write(3, 1);
    assertThat(skew.now()).isEqualTo(2.5);
  }

  @Test
  void forgetsWhatWasWrittenBeforeTheLastMinutes() {
    write(0, 1000);
    assertThat(skew.now()).isEqualTo(4);
    for (int minute = 1; minute <= 3; minute++) {
      nanos += BucketSkew.WINDOW_NANOS;
      for (int bucket = 0; bucket < 4; bucket++) {
        write(bucket, 10);
      }
      skew.now();
    }
    assertThat(skew.now()).as("even since the second minute").isEqualTo(1);
  }

  @Test
  void isTheSameHoweverOftenItIsReadWithinAMinute() {
    write(0, 3);
    write(1, 1);
    for (int i = 0; i < 100; i++) {
      nanos += BucketSkew.WINDOW_NANOS / 200;
      assertThat(skew.now()).isEqualTo(3);
    }
  }
}
