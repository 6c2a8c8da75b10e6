/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A command in a thread of its own, which is interrupted in the middle of whatever it does. */
public final class Life {
  private Life() {}

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
