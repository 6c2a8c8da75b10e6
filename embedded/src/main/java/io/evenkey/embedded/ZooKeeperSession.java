/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** Ends other people's sessions with ZooKeeper. Stateless. */
public final class ZooKeeperSession {
  private static final int TIMEOUT_MS = 10_000;

  private ZooKeeperSession() {}

  /**
   * Ends a session, as a long pause or a lost network would: its owner learns that it has expired.
   * ZooKeeper's own way of testing this: a second client takes the session over and closes it.
   *
   * @param port where ZooKeeper is, on 127.0.0.1
   * @throws IOException if it cannot be reached
   */
  public static void expire(int port, ZooKeeper session) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    Watcher watcher =
        event -> {
          if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.countDown();
          }
        };
    ZooKeeper second =
        new ZooKeeper(
            "127.0.0.1:" + port,
            TIMEOUT_MS,
            watcher,
            session.getSessionId(),
            session.getSessionPasswd());
    try {
      if (!connected.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException("ZooKeeper does not answer: port=" + port);
      }
    } finally {
      second.close();
    }
  }
}
