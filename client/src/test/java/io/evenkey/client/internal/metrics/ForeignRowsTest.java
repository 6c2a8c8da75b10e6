/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.text.RowException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ForeignRowsTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final ForeignRows rows =
      new ForeignRows("readings", Layout.parse("salt(4) + key:bytes"), nanos::get);

  private boolean met() {
    byte[] row = {9, 1};
    return rows.met(row, new RowException("no such prefix", row, 0));
  }

  @Test
  void everyRowIsCountedAndOneAMinuteIsLogged() {
    assertThat(met()).isTrue();
    assertThat(met()).isFalse();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
    assertThat(met()).isFalse();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(met()).isTrue();
    assertThat(met()).isFalse();
    assertThat(rows.count()).isEqualTo(5);
  }
}
