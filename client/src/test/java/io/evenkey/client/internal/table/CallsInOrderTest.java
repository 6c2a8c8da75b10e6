/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CallsInOrderTest {
  private static final int MANY = 65_536;

  private final CallsInOrder calls = new CallsInOrder();
  private final List<Integer> made = new ArrayList<>();

  private CompletableFuture<Integer> call(int number) {
    return calls.add(
        () -> {
          made.add(number);
          return CompletableFuture.completedFuture(number);
        });
  }

  @Test
  void waitingCallsAreMadeInTheirOrder() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> known = calls.add(() -> first);
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      waiting.add(call(i));
    }
    assertThat(made).isEmpty();
    assertThat(calls.isIdle()).isFalse();
    // A stack that would not do for a frame or two of each call.
    Thread completing = new Thread(null, () -> first.complete("known"), "completing", 256 << 10);
    completing.start();
    completing.join();
    assertThat(made).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    assertThat(waiting).allMatch(CompletableFuture::isDone);
    assertThat(known).isCompletedWithValue("known");
    assertThat(calls.isIdle()).isTrue();
  }

  @Test
  void aCallIsMadeAtOnceWhereNoneWaits() {
    assertThat(call(1)).isCompletedWithValue(1);
    assertThat(made).containsExactly(1);
  }

  @Test
  void aCallThatFailsDoesNotBlockTheNextOnes() {
    CompletableFuture<Object> failing = new CompletableFuture<>();
    CompletableFuture<Object> failed = calls.add(() -> failing);
    CompletableFuture<Object> thrown =
        calls.add(
            () -> {
              throw new IllegalStateException("thrown");
            });
    CompletableFuture<Integer> next = call(2);
    failing.completeExceptionally(new IllegalStateException("failed"));
    assertThatThrownBy(failed::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("failed");
    assertThatThrownBy(thrown::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("thrown");
    assertThat(next).isCompletedWithValue(2);
  }
}
