/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ServerQueueTest {
  private static final int MANY = 65_536;
  private static final long SMALL_STACK_BYTES = 256 << 10;

  /** A turn that says when it goes. */
  private record Going(long heldBytes, Consumer<Going> then) implements ServerQueue.Waiter {
    @Override
    public void go() {
      then.accept(this);
    }
  }

  /** Does something in a thread of a small stack. */
  private static void onSmallStack(Runnable work) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, work, "small stack", SMALL_STACK_BYTES);
    thread.setUncaughtExceptionHandler((failed, error) -> failure.set(error));
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
  }

  @Test
  void noMoreGoThanThereIsRoomFor() {
    ServerQueue queue = new ServerQueue("server", 2);
    List<Going> gone = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      queue.enter(new Going(0, gone::add));
    }
    assertThat(gone).hasSize(2);
    queue.leave();
    assertThat(gone).hasSize(3);
    queue.leave();
    queue.leave();
    queue.leave();
    assertThat(gone).hasSize(5);
    queue.leave();
    queue.leave();
    assertThat(gone).hasSize(5);
  }

  @Test
  void roomThatWasLeftIsThereForTheNext() {
    ServerQueue queue = new ServerQueue("server", 1);
    AtomicInteger gone = new AtomicInteger();
    for (int i = 1; i <= 10; i++) {
      queue.enter(new Going(0, turn -> gone.incrementAndGet()));
      assertThat(gone).hasValue(i);
      queue.leave();
    }
  }

  @Test
  void theSmallestHolderGoesFirstAndOfEqualOnesTheEarliest() {
    ServerQueue queue = new ServerQueue("server", 1);
    List<Going> gone = new ArrayList<>();
    List<Going> turns = new ArrayList<>();
    for (long held : new long[] {9, 5, 0, 7, 5, 0}) {
      turns.add(new Going(held, gone::add));
    }
    turns.forEach(queue::enter);
    turns.forEach(turn -> queue.leave());
    assertThat(gone)
        .usingElementComparator((a, b) -> a == b ? 0 : 1)
        .containsExactly(
            turns.get(0), turns.get(2), turns.get(5), turns.get(1), turns.get(4), turns.get(3));
  }

  @Test
  void isCrowdedWhileOneWaits() {
    ServerQueue queue = new ServerQueue("server", 1);
    assertThat(queue.isCrowded()).isFalse();
    queue.enter(new Going(0, turn -> {}));
    assertThat(queue.isCrowded()).isFalse();
    queue.enter(new Going(0, turn -> {}));
    assertThat(queue.isCrowded()).isTrue();
    queue.leave();
    assertThat(queue.isCrowded()).isFalse();
  }

  @Test
  void theStackDoesNotGrowWithTheTurnsThatNeedNothing() throws InterruptedException {
    ServerQueue queue = new ServerQueue("server", 4);
    AtomicInteger gone = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      queue.enter(new Going(0, turn -> {}));
    }
    for (int i = 0; i < MANY; i++) {
      queue.enter(
          new Going(
              0,
              turn -> {
                gone.incrementAndGet();
                queue.leave();
              }));
    }
    onSmallStack(queue::leave);
    assertThat(gone).hasValue(MANY);
  }

  @Test
  void aTurnThatFailsDoesNotKeepOthersWaiting() {
    ServerQueue queue = new ServerQueue("server", 1);
    AtomicInteger gone = new AtomicInteger();
    queue.enter(new Going(0, turn -> {}));
    queue.enter(
        new Going(
            0,
            turn -> {
              queue.leave();
              throw new IllegalStateException("for the test");
            }));
    queue.enter(new Going(0, turn -> gone.incrementAndGet()));
    try {
      queue.leave();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("for the test");
    }
    assertThat(gone).hasValue(1);
  }
}
