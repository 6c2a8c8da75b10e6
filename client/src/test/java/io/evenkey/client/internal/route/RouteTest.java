/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.FencedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operation waits for, and for how long. */
@Timeout(60)
class RouteTest {
  private static final TableName NAME = TableName.valueOf("readings");
  private static final Generation KNOWN = Generation.plain(NAME);
  private static final Duration SOON = Duration.ofSeconds(20);
  private final IOException fenced = new IOException("no writes " + Refusal.FENCED.mark());

  private static Route route(Supplier<CompletableFuture<Generation>> lookup) {
    GenerationFinder finder =
        new GenerationFinder() {
          @Override
          public CompletableFuture<Generation> find(TableName table) {
            return lookup.get();
          }

          @Override
          public void outdated(Generation generation, OptionalLong revision) {}
        };
    return Route.to(NAME, finder, new Configuration(false));
  }

  private static Route known(long timeoutMs) {
    CompletableFuture<Generation> found = CompletableFuture.completedFuture(KNOWN);
    return route(() -> found).within(() -> timeoutMs);
  }

  private static Route unanswered() {
    return route(CompletableFuture::new).within(() -> 50);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // there is never a value
  private <R> R refuse() throws IOException {
    throw fenced;
  }

  @Test
  void lookupThatIsNotAnsweredEndsWithTheTimeoutOfTheOperation() {
    assertThatThrownBy(() -> unanswered().now())
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("table=readings timeout=50 ms");
    assertThat(unanswered().find())
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(RetriesExhaustedException.class)
        .withMessageContaining("table=readings timeout=50 ms");
    assertThat(
            unanswered()
                .laterInParts(
                    System::nanoTime,
                    (generation, limit) -> CompletableFuture.completedFuture(generation)))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(RetriesExhaustedException.class);
  }

  @Test
  void refusedOperationEndsWithItsTimeout() {
    assertThatThrownBy(() -> known(50).call(generation -> refuse()))
        .isInstanceOf(SocketTimeoutException.class)
        .hasCauseInstanceOf(FencedException.class)
        .hasMessageContaining("timeout=50 ms");
    assertThat(known(50).later(generation -> CompletableFuture.failedFuture(fenced)))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(RetriesExhaustedException.class);
    assertThat(
            known(50)
                .ofWaitingCallers()
                .laterEach(
                    List.of(put(1)),
                    (generation, actions, left) -> refuseAll(actions),
                    (used, action, stored) -> stored)
                .get(0))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(SocketTimeoutException.class);
  }

  private static Put put(int row) {
    return new Put(new byte[] {(byte) row});
  }

  private List<CompletableFuture<String>> refuseAll(List<? extends Row> actions) {
    return actions.stream().map(a -> CompletableFuture.<String>failedFuture(fenced)).toList();
  }

  @Test
  void refusedActionsAreMadeAgainTogetherAndTheOthersAreAnsweredAtOnce() throws Exception {
    List<List<? extends Row>> rounds = new ArrayList<>();
    List<Put> puts = List.of(put(0), put(1), put(2), put(3));
    IOException own = new IOException("of this action");
    CompletableFuture<String> open = new CompletableFuture<>();
    List<CompletableFuture<String>> results =
        known(0)
            .laterEach(
                puts,
                (generation, actions, left) -> {
                  rounds.add(actions);
                  return rounds.size() > 1
                      ? actions.stream()
                          .map(a -> CompletableFuture.completedFuture("again"))
                          .toList()
                      : List.of(
                          CompletableFuture.completedFuture("first"),
                          CompletableFuture.failedFuture(fenced),
                          CompletableFuture.failedFuture(own),
                          open);
                },
                (used, action, stored) -> stored + " of " + action.getRow()[0]);
    assertThat(results.get(0)).isCompletedWithValue("first of 0");
    assertThat(results.get(1)).isNotDone();
    assertThat(results.get(2)).isCompletedExceptionally();
    open.completeExceptionally(fenced);
    assertThat(results.get(1)).succeedsWithin(SOON).isEqualTo("again of 1");
    assertThat(results.get(3)).succeedsWithin(SOON).isEqualTo("again of 3");
    assertThat(rounds).containsExactly(puts, List.of(puts.get(1), puts.get(3)));
    assertThatThrownBy(() -> Futures.get(results.get(2))).isSameAs(own);
  }

  @Test
  void refusalsThatAreFinalAreTheAnswersOfTheirActions() {
    List<IOException> refusals =
        List.of(
            new IOException("one " + Refusal.LAYOUT.mark()),
            new IOException("two " + Refusal.LAYOUT.mark()));
    List<CompletableFuture<String>> results =
        known(0)
            .laterEach(
                List.of(put(0), put(1)),
                (generation, actions, left) ->
                    refusals.stream().map(CompletableFuture::<String>failedFuture).toList(),
                (used, action, stored) -> stored);
    for (int i = 0; i < 2; i++) {
      assertThat(results.get(i))
          .failsWithin(SOON)
          .withThrowableThat()
          .havingCause()
          .isSameAs(refusals.get(i));
    }
  }

  @Test
  void operationWithoutATimeoutWaitsForAsLongAsMigrationsAreWaitedFor() {
    CompletableFuture<Generation> found = CompletableFuture.completedFuture(KNOWN);
    Configuration configuration = new Configuration(false);
    configuration.setLong(Repeats.SETTING, 50);
    Route patient = Route.to(NAME, new Fixed(found), configuration).within(() -> 0);
    assertThatThrownBy(() -> patient.call(generation -> refuse()))
        .isInstanceOf(FencedException.class);
    assertThat(patient.later(generation -> CompletableFuture.failedFuture(fenced)))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(FencedException.class);
  }

  private record Fixed(CompletableFuture<Generation> found) implements GenerationFinder {
    @Override
    public CompletableFuture<Generation> find(TableName table) {
      return found;
    }

    @Override
    public void outdated(Generation generation, OptionalLong revision) {}
  }

  @Test
  void interruptedCallerStopsWaiting() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> route(CompletableFuture::new).now())
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void errorInALaterLookupFailsTheOperation() {
    Error error = new NoClassDefFoundError("com/example/Missing");
    AtomicInteger lookups = new AtomicInteger();
    Route route =
        route(
            () -> {
              if (lookups.getAndIncrement() > 0) {
                throw error;
              }
              return CompletableFuture.completedFuture(KNOWN);
            });
    assertThat(route.later(generation -> CompletableFuture.failedFuture(fenced)))
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isSameAs(error);
  }

  @Test
  void scanThatGoesOnMayTakeLongerThanItsTimeout() {
    AtomicInteger parts = new AtomicInteger();
    CompletableFuture<String> scan =
        known(200)
            .laterInParts(
                System::nanoTime,
                (generation, limit) -> {
                  CompletableFuture<String> part = new CompletableFuture<>();
                  if (parts.incrementAndGet() == 6) {
                    part.complete("end");
                    return part;
                  }
                  Futures.after(
                      60, () -> part.completeExceptionally(fenced), part::completeExceptionally);
                  return part;
                });
    assertThat(scan).succeedsWithin(SOON).isEqualTo("end");
  }

  @Test
  void buffersPauseLongerThanSingleOperations() throws IOException {
    assertThat(longestPauseMs(known(0))).isBetween(10L, 50L);
    assertThat(longestPauseMs(known(0).ofBuffers())).isBetween(500L, 1_000L);
  }

  private long longestPauseMs(Route route) throws IOException {
    Repeats repeats = route.repeats(route.limit());
    long longest = 0;
    for (int i = 0; i < 20; i++) {
      longest =
          Math.max(longest, repeats.pauseMs(fenced, KNOWN, new Fixed(new CompletableFuture<>())));
    }
    return longest;
  }
}
