/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeferredScannerTest {
  @Test
  void aCallerThatIsInterruptedWhileItIsOpenedStaysInterrupted() {
    DeferredScanner scanner = new DeferredScanner(new CompletableFuture<>());
    Thread.currentThread().interrupt();
    assertThatThrownBy(scanner::next).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void firstRowThrowsTheFailureOfTheOpening() {
    for (IOException reason :
        new IOException[] {new IOException("for the test"), new InterruptedIOException("other")}) {
      DeferredScanner scanner = new DeferredScanner(CompletableFuture.failedFuture(reason));
      assertThatThrownBy(scanner::next).isSameAs(reason);
      assertThat(Thread.interrupted()).as("another thread's interruption").isFalse();
      assertThat(scanner.renewLease()).isFalse();
      assertThat(scanner.getScanMetrics()).isNull();
      scanner.close();
    }
  }
}
