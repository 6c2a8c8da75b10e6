/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static TableRules rules(int revision) {
    return TableRules.of(
        new TableText(
            "t",
            null,
            "revision=" + revision + " mode=open pass=0 turn=0 other=",
            null,
            "",
            null,
            null,
            null,
            null,
            null,
            null));
  }

  @Test
  void settlesOnlyWhenEarlierWritesAreDone() throws Exception {
    Gate gate = new Gate(rules(0));
    Gate.Epoch write = gate.enter();
    gate.change(rules(1));
    assertThat(gate.rules().revision()).isEqualTo(1);
    assertThat(gate.settle(Duration.ofMillis(1))).isFalse();
    CompletableFuture<Boolean> settled =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return gate.settle(MINUTE);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    write.leave();
    assertThat(settled.get()).isTrue();
  }

  @Test
  void settlesWithWritesByTheNewRulesUnderWay() throws Exception {
    Gate gate = new Gate(rules(0));
    gate.change(rules(1));
    Gate.Epoch write = gate.enter();
    assertThat(gate.settle(Duration.ZERO)).isTrue();
    write.leave();
  }

  @Test
  void waitsForWritesOfEveryEarlierRevision() throws Exception {
    Gate gate = new Gate(rules(0));
    Gate.Epoch first = gate.enter();
    gate.change(rules(1));
    Gate.Epoch second = gate.enter();
    gate.change(rules(2));
    second.leave();
    assertThat(gate.settle(Duration.ofMillis(1))).isFalse();
    first.leave();
    assertThat(gate.settle(MINUTE)).isTrue();
  }

  @Test
  void letsNoWriteGoByRulesThatHaveSettled() throws Exception {
    int revisions = 2_000;
    Gate gate = new Gate(rules(0));
    AtomicIntegerArray underWay = new AtomicIntegerArray(revisions + 1);
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!stop.get()) {
                  Gate.Epoch epoch = gate.enter();
                  int revision = (int) epoch.rules().revision();
                  underWay.incrementAndGet(revision);
                  Thread.onSpinWait();
                  underWay.decrementAndGet(revision);
                  epoch.leave();
                }
              }));
    }
    for (int revision = 1; revision <= revisions; revision++) {
      gate.change(rules(revision));
      assertThat(gate.settle(MINUTE)).isTrue();
      assertThat(underWay.get(revision - 1)).isZero();
    }
    stop.set(true);
    CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get();
  }
}
