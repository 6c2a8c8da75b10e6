/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Ends ZooKeeper sessions of other clients, for tests of what survives that: a client or a server
 * whose session has ended must open another one, or stop. Stateless.
 */
public final class ZooKeeperSession {
  private static final int TIMEOUT_MS = 10_000;

  private ZooKeeperSession() {}

  /**
   * Ends a session, as a long pause or a lost network would: its owner learns that it has expired.
   * It uses ZooKeeper's documented way: a second client takes the session over and closes it.
   *
   * @param port the port of ZooKeeper on 127.0.0.1
   * @param session the client whose session ends
   * @throws IOException if ZooKeeper cannot be reached
   */
  public static void expire(int port, ZooKeeper session) throws IOException, InterruptedException {
    Connected connected = new Connected();
    ZooKeeper second =
        new ZooKeeper(
            "127.0.0.1:" + port,
            TIMEOUT_MS,
            connected,
            session.getSessionId(),
            session.getSessionPasswd());
    try {
      connected.await(port);
    } finally {
      second.close();
    }
  }

  /**
   * Removes the nodes that live as long as a server's session, of an instance that was killed: no
   * server runs yet, and the next master would wait until these sessions end.
   *
   * @param parent the node of HBase
   */
  static void removeServers(int port, String parent) throws IOException, InterruptedException {
    Connected connected = new Connected();
    ZooKeeper zooKeeper = new ZooKeeper("127.0.0.1:" + port, TIMEOUT_MS, connected);
    try {
      connected.await(port);
      if (zooKeeper.exists(parent, false) != null) {
        for (String node : ZKUtil.listSubTreeBFS(zooKeeper, parent)) {
          Stat stat = zooKeeper.exists(node, false);
          if (stat != null && stat.getEphemeralOwner() != 0) {
            zooKeeper.delete(node, -1);
          }
        }
      }
    } catch (KeeperException e) {
      throw new EvenkeyException("nodes of stopped servers not removed: port=" + port, e);
    } finally {
      zooKeeper.close();
    }
  }

  /** Waits for a connection. */
  private static final class Connected implements Watcher {
    private final CountDownLatch connected = new CountDownLatch(1);

    @Override
    public void process(WatchedEvent event) {
      if (event.getState() == Event.KeeperState.SyncConnected) {
        connected.countDown();
      }
    }

    void await(int port) throws IOException, InterruptedException {
      if (!connected.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        throw new EvenkeyException("ZooKeeper does not answer: port=" + port);
      }
    }
  }
}
