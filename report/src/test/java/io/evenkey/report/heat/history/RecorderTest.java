/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.layout.Layout;
import io.evenkey.report.heat.counters.ReadingSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
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
      await().atMost(Duration.ofMinutes(1)).until(() -> recorder.problem().startsWith("no answer"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> recorder.problem().isEmpty() && recorder.now("t").size() == 4);
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
  void tablesThatAreGoneAndThoseOfEvenkeyHaveNoRowsAmongAll() throws IOException {
    Feed feed =
        new Feed().table("t", List.of()).table("gone", List.of()).table("evenkey:heat", List.of());
    feed.generation("t", "t.g2");
    try (Recorder recorder = new Recorder(() -> feed.at(0), SECOND, null, false)) {
      recorder.take(feed.at(0));
      recorder.take(feed.at(1_000));
      recorder.take(feed.drop("gone").at(2_000));
      assertThat(names(recorder, null)).containsExactly("t");
      assertThat(names(recorder, "evenkey:heat")).containsExactly("evenkey:heat");
      assertThat(names(recorder, "gone")).as("its history is kept").containsExactly("gone");
      assertThat(names(recorder, "t.g2")).as("by its generation").containsExactly("t");
      assertThat(recorder.tables()).containsExactly("t", "evenkey:heat");
    }
  }

  @Test
  void aGenerationThatIsSwitchedWhileNeitherIsOpenIsKnown() throws IOException {
    Layout salted = Layout.parse("salt(3) + k:string");
    Feed feed = new Feed().table("u", List.of()).table("t", List.of()).layout("t", "k:string");
    try (Recorder recorder = new Recorder(() -> feed.at(0), SECOND, null, false)) {
      recorder.take(feed.at(0));
      recorder.take(feed.at(1_000));
      recorder.take(feed.drop("t").at(2_000));
      feed.table("t", salted.splits(3).keys()).layout("t", salted.toString());
      recorder.take(feed.at(3_000));
      recorder.take(feed.at(4_000));
      HeatQuery query = new HeatQuery(0, 4_000, "t", Measure.WRITES, false, 4, 10);
      assertThat(recorder.matrix(query).tables())
          .extracting(HeatMatrix.HeatTable::layout)
          .containsExactly(salted.toString(), "k:string");
    }
  }

  private static List<String> names(Recorder recorder, @Nullable String table) {
    HeatQuery query = new HeatQuery(0, 2_000, table, Measure.WRITES, false, 2, 10);
    return recorder.matrix(query).tables().stream().map(HeatMatrix.HeatTable::name).toList();
  }

  @Test
  void countersAreNotReadMoreOftenThanServersReport() {
    assertThatThrownBy(
            () -> new Recorder(() -> new Feed().at(0), Duration.ofMillis(200), null, false))
        .hasMessageContaining("at most once a second");
  }
}
