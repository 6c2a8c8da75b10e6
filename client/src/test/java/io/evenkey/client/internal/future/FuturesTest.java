/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FuturesTest {
  @Test
  void aStepThatFailsOrThrowsCompletesTheFuture() {
    CompletableFuture<String> begun = new CompletableFuture<>();
    Error error = new NoClassDefFoundError("for the test");
    CompletableFuture<String> mapped =
        Futures.map(
            begun,
            value -> {
              throw error;
            });
    CompletableFuture<String> chained =
        Futures.chain(
            begun,
            value -> {
              throw error;
            });
    begun.complete("value");
    assertThat(mapped.handle((value, failure) -> failure)).isCompletedWithValue(error);
    assertThat(chained.handle((value, failure) -> failure)).isCompletedWithValue(error);
  }

  @Test
  void aWaitingCallerGetsTheValueOrTheError() throws IOException {
    assertThat(Futures.get(CompletableFuture.completedFuture("value"))).isEqualTo("value");
    IOException reason = new IOException("for the test");
    assertThatThrownBy(() -> Futures.get(CompletableFuture.failedFuture(reason))).isSameAs(reason);
  }

  @Test
  void aThreadThatIsInterruptedWhileItWaitsStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Futures.get(new CompletableFuture<>()))
        .isInstanceOf(InterruptedIOException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
