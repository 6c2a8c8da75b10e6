/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
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

  private final Error unlinked = new NoClassDefFoundError("com/example/Missing");

  @SuppressWarnings("TypeParameterUnusedInFormals") // there is never a value
  private <T> T unlinked() {
    throw unlinked;
  }

  private void failsWithTheError(CompletableFuture<?> result) {
    assertThat(result)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .havingCause()
        .isSameAs(unlinked);
  }

  @Test
  void whateverACallbackThrowsIsTheFailureOfItsResult() {
    CompletableFuture<String> done = CompletableFuture.completedFuture("value");
    CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("a reason"));
    failsWithTheError(Futures.map(done, value -> unlinked()));
    failsWithTheError(Futures.chain(done, value -> unlinked()));
    failsWithTheError(Futures.next(failed, (value, error) -> unlinked()));
    failsWithTheError(Futures.begin(() -> unlinked()));
    CompletableFuture<String> result = new CompletableFuture<>();
    Futures.whenDone(failed, result, (value, error) -> unlinked());
    failsWithTheError(result);
  }

  @Test
  void whateverATaskOrItsPoolThrowsIsTheFailureOfItsResult() {
    failsWithTheError(Futures.call(Runnable::run, () -> unlinked()));
    failsWithTheError(Futures.call(task -> unlinked(), () -> "value"));
    CompletableFuture<String> later = new CompletableFuture<>();
    Futures.after(1, () -> unlinked(), later::completeExceptionally);
    failsWithTheError(later);
  }

  @Test
  void waitingEndsInTime() {
    IOException late = new IOException("late");
    assertThatThrownBy(() -> Futures.get(new CompletableFuture<>(), 1, () -> late)).isSameAs(late);
    CompletableFuture<String> result = new CompletableFuture<>();
    Futures.bound(result, 1, () -> late);
    assertThat(result)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .havingCause()
        .isSameAs(late);
  }
}
