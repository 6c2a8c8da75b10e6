/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PassesTest {
  private static final TableRules RULES =
      TableRules.of(new TableText("t", null, null, null, "", null, null, null, null, null, null));

  private final Passes passes = Passes.ofThread();
  private final Gate gate = new Gate(RULES);

  @AfterEach
  void leavesNothing() throws Exception {
    gate.change(RULES);
    assertThat(gate.settle(Duration.ZERO)).as("every write has left").isTrue();
  }

  @Test
  void areGivenBackOnceHoweverOftenTheEndIsReported() throws Exception {
    Object batch = new Object();
    Gate.Epoch other = gate.enter();
    passes.begin();
    passes.hold(batch, gate.enter());
    passes.giveBack(batch);
    passes.giveBack(batch);
    passes.end();
    gate.change(RULES);
    assertThat(gate.settle(Duration.ZERO)).as("the other write is under way").isFalse();
    other.leave();
  }

  @Test
  void areNotGivenBackForWorkThatHoldsNone() {
    Object batch = new Object();
    passes.begin();
    passes.hold(batch, gate.enter());
    passes.giveBack(new Object());
    gate.change(RULES);
    assertThat(settled()).isFalse();
    passes.giveBack(batch);
    passes.end();
  }

  @Test
  void areGivenBackAtTheEndOfTheOperationIfNotBefore() {
    passes.begin();
    passes.hold(new Object(), gate.enter());
    passes.end();
  }

  @Test
  void areKeptWhileAnotherOperationRunsInTheMiddle() {
    Object outer = new Object();
    passes.begin();
    passes.hold(outer, gate.enter());
    for (int i = 0; i < 10; i++) {
      passes.begin();
      passes.hold(new Object(), gate.enter());
    }
    for (int i = 0; i < 10; i++) {
      passes.end();
    }
    gate.change(RULES);
    assertThat(settled()).as("the outer write is under way").isFalse();
    passes.giveBack(outer);
    assertThat(settled()).isTrue();
    passes.end();
  }

  private static RpcCall call() {
    return (RpcCall)
        Proxy.newProxyInstance(
            PassesTest.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (call, method, arguments) -> null);
  }

  /** HBase calls no hook of the guard if a coprocessor before it fails in each. */
  @Test
  void areGivenBackInTheNextCallIfNoEndIsReported() {
    try {
      RpcServer.setCurrentCall(call());
      Passes.begin(Region.Operation.BATCH_MUTATE);
      passes.hold(new Object(), gate.enter());
      RpcServer.unsetCurrentCall();
      Passes.begin(Region.Operation.BATCH_MUTATE);
      Passes.end(Region.Operation.BATCH_MUTATE);
      gate.change(RULES);
      assertThat(settled()).as("the same call").isFalse();
      RpcServer.setCurrentCall(call());
      Passes.begin(Region.Operation.GET);
      assertThat(settled()).as("the next call").isTrue();
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  private boolean settled() {
    try {
      return gate.settle(Duration.ZERO);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
