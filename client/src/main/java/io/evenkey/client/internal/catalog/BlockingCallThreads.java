/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads for calls that wait for ZooKeeper or HBase: few for all connections of the JVM, and
 * none a second after the last call. Java's common pool, in which futures are completed, is not
 * held up by them. Stateless.
 */
public final class BlockingCallThreads {
  private static final int THREADS = 4;
  private static final ThreadPoolExecutor POOL = pool();

  private BlockingCallThreads() {}

  private static ThreadPoolExecutor pool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "evenkey-lookup");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  public static void execute(Runnable call) {
    POOL.execute(call);
  }
}
