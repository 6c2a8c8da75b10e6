/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  @Test
  void workThatFailsIsDoneAgainWhenItIsAskedForAgain() {
    AtomicInteger done = new AtomicInteger();
    OneAtATime work =
        new OneAtATime(
            () -> {
              if (done.incrementAndGet() == 1) {
                throw new IllegalStateException("for the test");
              }
            });
    assertThatThrownBy(work::run).hasMessage("for the test");
    work.run();
    assertThat(done).hasValue(2);
  }

  @Test
  void anErrorAndACheckedExceptionReleaseItToo() {
    for (Throwable failure :
        List.of(new AssertionError("for the test"), new Exception("checked"))) {
      AtomicInteger done = new AtomicInteger();
      OneAtATime work =
          new OneAtATime(
              () -> {
                if (done.incrementAndGet() == 1) {
                  OneAtATimeTest.<RuntimeException>raise(failure);
                }
              });
      assertThatThrownBy(work::run).isSameAs(failure);
      work.run();
      assertThat(done).hasValue(2);
    }
  }

  @SuppressWarnings("unchecked") // as code in other languages throws checked exceptions
  private static <E extends Throwable> void raise(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void aCallDuringWorkThatFailsIsMade() {
    AtomicInteger done = new AtomicInteger();
    AtomicReference<OneAtATime> self = new AtomicReference<>();
    OneAtATime work =
        new OneAtATime(
            () -> {
              if (done.incrementAndGet() < 3) {
                self.get().run();
                throw new IllegalStateException("failure " + done);
              }
            });
    self.set(work);
    assertThatThrownBy(work::run)
        .hasMessage("failure 1")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .singleElement()
                    .satisfies(next -> assertThat(next).hasMessage("failure 2")));
    assertThat(done).hasValue(3);
  }

  @Test
  void callsFromWithinTheWorkDoNotNest() {
    AtomicInteger depth = new AtomicInteger();
    List<Integer> depths = new ArrayList<>();
    AtomicReference<OneAtATime> self = new AtomicReference<>();
    self.set(
        new OneAtATime(
            () -> {
              depths.add(depth.incrementAndGet());
              if (depths.size() < 5) {
                self.get().run();
                self.get().run();
              }
              depth.decrementAndGet();
            }));
    self.get().run();
    assertThat(depths).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void everyCallIsFollowedByTheWorkAndNeverTwoAtOnce() throws InterruptedException {
    int threads = 4;
    int calls = 20_000;
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    OneAtATime work =
        new OneAtATime(
            () -> {
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              seen.set(asked.get());
              inside.decrementAndGet();
            });
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                for (int call = 0; call < calls; call++) {
                  asked.incrementAndGet();
                  work.run();
                }
              });
      thread.start();
      all.add(thread);
    }
    start.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(seen).hasValue(threads * calls);
    assertThat(most).hasValue(1);
  }
}
