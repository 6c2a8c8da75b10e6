/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.app.heat.counters.ReadingSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void failedReadingsAreReportedAndRepeated() throws IOException {
    Feed feed = new Feed().table("t", Feed.keys(3, 100));
    AtomicInteger asked = new AtomicInteger();
    ReadingSource failing =
        () -> {
          if (asked.incrementAndGet() == 2) {
            throw new IOException("no answer");
          }
          return feed.at(System.currentTimeMillis());
        };
    try (Recorder recorder = new Recorder(failing, SECOND, null, false).start()) {
      await().until(() -> recorder.problem().equals("no answer"));
      await().until(() -> recorder.problem().isEmpty() && recorder.now("t").size() == 4);
    }
  }

  @Test
  void aClusterThatDoesNotAnswerIsReported() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    ReadingSource hanging =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          throw new IOException("not reached");
        };
    try (Recorder recorder = new Recorder(hanging, SECOND, null, false).start()) {
      assertThat(recorder.problem()).isEmpty();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> recorder.problem().startsWith("no answer since 20"));
    }
  }

  @Test
  void countersAreNotReadMoreOftenThanServersReport() {
    assertThatThrownBy(
            () -> new Recorder(() -> new Feed().at(0), Duration.ofMillis(200), null, false))
        .hasMessageContaining("at most once a second");
  }
}
