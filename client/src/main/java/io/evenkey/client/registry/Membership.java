package io.evenkey.client.registry;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that others know of: its node, which goes with its session, says which tables it uses
 * and which epoch of their moves it acts by. Thread-safe.
 *
 * <p>As long as its <em>lease</em> holds, the node is there: whoever does not find it can be sure
 * that this client reports no write as done. The lease is two thirds of the session's timeout,
 * counted from before a request that the leader of ZooKeeper has answered; it is renewed all the
 * time.
 */
public final class Membership implements AutoCloseable {
  /** Told of a table's moves, in the order of their epochs. */
  @FunctionalInterface
  public interface Follower {
    /**
     * A move goes on, or there is none. Must not wait for anything.
     *
     * @param acknowledge to be called when nothing that acts by what was before is under way
     */
    void moved(@Nullable Move move, Runnable acknowledge);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final int BEATS = 6;

  private final CuratorFramework client;
  private final Registry registry;
  private final String node;
  private final AutoCloseable watch;
  private final Map<TableName, Follower> followers = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread daemon = new Thread(work, "evenkey-membership");
            daemon.setDaemon(true);
            return daemon;
          });

  private final Object renewing = new Object();
  private @Nullable Future<?> beats;
  private LiveClient self;
  private boolean told = true;
  private volatile boolean behind;
  private volatile long session;
  private volatile long leaseUntil = System.nanoTime();

  private Membership(CuratorFramework client, Registry registry, String node, LiveClient self) {
    this.client = client;
    this.registry = registry;
    this.node = node;
    this.self = self;
    this.watch = registry.watch(this::changed);
  }

  static Membership begin(CuratorFramework client, Registry registry, String node, LiveClient self)
      throws Exception {
    Membership membership = new Membership(client, registry, node, self);
    try {
      membership.renew();
    } catch (Exception e) {
      membership.close();
      throw e;
    }
    long every = client.getZookeeperClient().getZooKeeper().getSessionTimeout() / BEATS;
    membership.beats =
        membership.thread.scheduleWithFixedDelay(
            membership::beat, every, every, TimeUnit.MILLISECONDS);
    return membership;
  }

  /** What others see. */
  public synchronized LiveClient self() {
    return self;
  }

  /** Whether the node is there for sure. */
  public boolean isLeased() {
    return System.nanoTime() - leaseUntil < 0;
  }

  /** When the lease ends, as {@link System#nanoTime()} counts. */
  public long leaseUntil() {
    return leaseUntil;
  }

  /** Tells one session from all others: whoever loses one may have missed something. */
  public long session() {
    return session;
  }

  /**
   * Waits for a lease.
   *
   * @return whether there is one
   */
  public boolean awaitLease(Duration atMost) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    synchronized (this) {
      while (!isLeased()) {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
    }
    return true;
  }

  /**
   * Says that this client uses a table, and tells of its moves from now on: of the present one
   * before this returns.
   *
   * @throws RegistryException if that cannot be said or asked
   */
  public void follow(TableName table, Follower follower) throws RegistryException {
    // Said first, then asked: whoever begins a move in between sees one of the two.
    try {
      tell(table, 0);
    } catch (Exception e) {
      throw registry.failed("client could not be announced", node, e);
    }
    synchronized (follower) {
      followers.put(table, follower);
      deliver(table, follower);
    }
  }

  private void deliver(TableName table, Follower follower) throws RegistryException {
    synchronized (follower) {
      Move move = registry.move(table).map(Versioned::value).orElse(null);
      int epoch = move == null ? 0 : move.epoch();
      follower.moved(move, () -> later(() -> acknowledge(table, epoch)));
    }
  }

  private void later(Runnable work) {
    try {
      thread.execute(work);
    } catch (RejectedExecutionException e) {
      // Closed: its node is gone with it.
    }
  }

  private void acknowledge(TableName table, int epoch) {
    try {
      tell(table, epoch);
    } catch (Exception e) {
      LOG.info("epoch {} of {} is acknowledged later: {}", epoch, table, e.toString());
    }
  }

  private synchronized void tell(TableName table, int epoch) throws Exception {
    self = self.with(table, epoch);
    told = false;
    write();
  }

  private void write() throws Exception {
    try {
      client.setData().forPath(node, RegistryJson.bytes(RegistryJson.of(self)));
      told = true;
    } catch (KeeperException.NoNodeException e) {
      // Made anew, with everything, when the session is.
    }
  }

  private void changed(Change change) {
    if (change instanceof Change.OfMove of) {
      Follower follower = followers.get(of.table());
      if (follower != null) {
        later(() -> deliverOrFail(of.table(), follower));
      }
    } else if (change instanceof Change.Unknown) {
      // Nobody tells of what was changed meanwhile, not even in the same session.
      behind = true;
      later(this::beat);
    }
  }

  private void deliverOrFail(TableName table, Follower follower) {
    try {
      deliver(table, follower);
    } catch (RegistryException e) {
      // Not acknowledged: whoever moves the table waits, and says for whom. Asked again by the
      // next beat.
      LOG.warn("move of {} could not be followed: {}", table, e.getMessage());
      behind = true;
    }
  }

  private void beat() {
    try {
      renew();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.info("lease not renewed: {}", e.toString());
    }
  }

  // By the first call and by its own thread: one after the other.
  private void renew() throws Exception {
    synchronized (renewing) {
      renewNow();
    }
  }

  private void renewNow() throws Exception {
    ZooKeeper zooKeeper = client.getZookeeperClient().getZooKeeper();
    long asked = System.nanoTime();
    int timeoutMs = zooKeeper.getSessionTimeout();
    CountDownLatch answered = new CountDownLatch(1);
    int[] code = {KeeperException.Code.OPERATIONTIMEOUT.intValue()};
    // What nothing is written for, and yet the leader answers, if the session is known there.
    zooKeeper.sync(
        node,
        (result, path, context) -> {
          code[0] = result;
          answered.countDown();
        },
        null);
    if (!answered.await(timeoutMs, TimeUnit.MILLISECONDS) || code[0] != 0) {
      throw KeeperException.create(KeeperException.Code.get(code[0]), node);
    }
    long current = zooKeeper.getSessionId();
    Stat stat = zooKeeper.exists(node, false);
    if (stat == null || stat.getEphemeralOwner() != current) {
      make(stat != null);
    }
    synchronized (this) {
      if (!told) {
        write();
      }
    }
    if (behind || current != session) {
      catchUp();
    }
    if (client.getZookeeperClient().getZooKeeper().getSessionId() == current) {
      session = current;
      leaseUntil = asked + TimeUnit.MILLISECONDS.toNanos(timeoutMs) * 2 / 3;
      synchronized (this) {
        notifyAll();
      }
    }
  }

  private void catchUp() throws RegistryException {
    // Before asking: what is changed while asking is asked for again.
    behind = false;
    try {
      for (Map.Entry<TableName, Follower> entry : followers.entrySet()) {
        deliver(entry.getKey(), entry.getValue());
      }
    } catch (RegistryException e) {
      behind = true;
      throw e;
    }
  }

  private synchronized void make(boolean ofAnotherSession) throws Exception {
    if (ofAnotherSession) {
      client.delete().quietly().forPath(node);
    }
    registry.prepare(node);
    client
        .create()
        .withMode(CreateMode.EPHEMERAL)
        .forPath(node, RegistryJson.bytes(RegistryJson.of(self)));
    told = true;
  }

  @Override
  public void close() {
    if (beats != null) {
      beats.cancel(true);
    }
    thread.shutdownNow();
    leaseUntil = System.nanoTime();
    try {
      watch.close();
      if (client.getZookeeperClient().isConnected()) {
        client.delete().quietly().forPath(node);
      }
    } catch (Exception e) {
      LOG.debug("left to the end of the session: {}", e.toString());
    }
  }
}
