/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.future;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads for calls that wait for ZooKeeper or HBase, for all connections of the JVM; none is
 * left a second after the last call. Neither Java's common pool, in which futures are completed,
 * nor HBase's threads are held up by them. Stateless.
 */
public final class BlockingCallThreads {
  private static final int FEW = 4;

  // So that many clients do not open a session with ZooKeeper for each of their tables at once.
  private static final ThreadPoolExecutor QUEUED =
      pool("evenkey-lookup", FEW, FEW, new LinkedBlockingQueue<>());

  private static final ThreadPoolExecutor AT_ONCE =
      pool("evenkey-request", 0, Integer.MAX_VALUE, new SynchronousQueue<>());

  private BlockingCallThreads() {}

  private static ThreadPoolExecutor pool(
      String name, int fewest, int most, BlockingQueue<Runnable> queue) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            fewest,
            most,
            1,
            TimeUnit.SECONDS,
            queue,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Makes a call in one of few threads. It must not wait for another such call. */
  public static void execute(Runnable call) {
    QUEUED.execute(call);
  }

  /** Makes a call in a thread that is free, or a new one: for those of which there are few. */
  public static void executeAtOnce(Runnable call) {
    AT_ONCE.execute(call);
  }
}
