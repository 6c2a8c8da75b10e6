/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import io.evenkey.client.internal.registry.Registry;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;

/** A command in a thread of its own, which is interrupted in the middle of whatever it does. */
public final class Life {
  private Life() {}

  /** What a command does with the registry. */
  @FunctionalInterface
  public interface Work<R> {
    R with(Registry registry) throws IOException;
  }

  /** Does the work of a command with a registry that is closed, also if it is interrupted. */
  public static <R> R withRegistry(Configuration configuration, Work<R> work) throws IOException {
    Registry registry = Registry.open(configuration);
    try {
      return work.with(registry);
    } finally {
      // The process of a command that is killed ends its session, which has the lock.
      Thread.interrupted();
      registry.close();
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param ms after how many milliseconds it is interrupted; 0 for never
   * @return its result, or what it failed with
   */
  public static <R> CompletableFuture<R> run(int ms, Callable<R> command)
      throws InterruptedException {
    CompletableFuture<R> end = new CompletableFuture<>();
    Thread life =
        new Thread(
            () -> {
              try {
                end.complete(command.call());
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            },
            "life");
    life.start();
    if (ms > 0) {
      life.join(ms);
      life.interrupt();
    }
    life.join();
    return end;
  }
}
