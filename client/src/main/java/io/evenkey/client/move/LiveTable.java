package io.evenkey.client.move;

import io.evenkey.client.registry.Membership;
import io.evenkey.client.registry.Move;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * A table as applications call it, whichever generation it is. All writes of a client go through
 * here: they wait while nobody may write, and nobody is told of one that was done without a lease.
 * Thread-safe.
 */
public final class LiveTable implements Membership.Follower {
  /** A write, by what is in force while it is made. */
  @FunctionalInterface
  public interface Write<R> {
    /** Writes. */
    R by(View view) throws IOException;
  }

  // One waits for another: as many as there are.
  static final Executor THREADS =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "evenkey-move");
            thread.setDaemon(true);
            return thread;
          });

  private final TableName name;
  private final @Nullable Membership membership;
  private final Duration patience;
  private final Set<Runnable> flushes = ConcurrentHashMap.newKeySet();

  /** The servers' clocks as they were in an epoch. */
  private record Measured(int epoch, ServerClocks clocks) {}

  private volatile @Nullable Measured measured;
  private volatile View view;
  private CompletableFuture<Void> drained = CompletableFuture.completedFuture(null);
  private @Nullable CompletableFuture<Void> acknowledged;

  private LiveTable(TableName name, @Nullable Membership membership, Duration patience) {
    this.name = name;
    this.membership = membership;
    this.patience = patience;
    this.view = View.of(name, null);
  }

  /** A table that is never moved, or that nobody tells this client of. */
  public static LiveTable unmoved(TableName name) {
    return new LiveTable(name, null, Duration.ZERO);
  }

  /**
   * A table whose moves are followed.
   *
   * @param patience how long a write may wait for others
   * @throws io.evenkey.client.registry.RegistryException if the registry cannot be asked
   */
  public static LiveTable following(TableName name, Membership membership, Duration patience)
      throws IOException {
    LiveTable table = new LiveTable(name, membership, patience);
    membership.follow(name, table);
    return table;
  }

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /** What holds now, for reading. */
  public View view() {
    return view;
  }

  /** The generation that is read now. */
  public TableName reading() {
    return view.primary();
  }

  /** Where clocks are looked at. */
  @FunctionalInterface
  interface Clocks {
    ServerClocks now() throws IOException;
  }

  /** The servers' clocks, looked at once for each view. */
  ServerClocks clocks(View by, Clocks servers) throws IOException {
    Measured known = measured;
    if (known == null || known.epoch != by.epoch()) {
      known = new Measured(by.epoch(), servers.now());
      measured = known;
    }
    return known.clocks;
  }

  Duration patience() {
    return patience;
  }

  /** The client's name in a lock. */
  String client() {
    return membership == null ? "" : membership.self().id();
  }

  /** How many milliseconds of the lease are left; what was done after that must not be mirrored. */
  long leaseLeftMs() {
    return membership == null
        ? Long.MAX_VALUE / 2
        : TimeUnit.NANOSECONDS.toMillis(membership.leaseUntil() - System.nanoTime());
  }

  /** To be run, in a thread of its own, when what is buffered has to be written soon. */
  public void onChange(Runnable flush) {
    flushes.add(flush);
  }

  /** Not run any more. */
  public void forget(Runnable flush) {
    flushes.remove(flush);
  }

  @Override
  public String toString() {
    return name + " " + view + " acknowledged=" + acknowledged;
  }

  @Override
  public void moved(@Nullable Move move, Runnable acknowledge) {
    View next = View.of(name, move);
    View before = view;
    if (next.epoch() == before.epoch() && next.primary().equals(before.primary())) {
      acknowledged = drained.thenRun(unlessOver(before, acknowledge));
      return;
    }
    view = next;
    synchronized (this) {
      notifyAll();
    }
    drained = CompletableFuture.allOf(drained, before.close());
    flushes.forEach(THREADS::execute);
    acknowledged = drained.thenRun(unlessOver(next, acknowledge));
  }

  // Of two that become due together, the earlier one may run last: it must not take the later back.
  private Runnable unlessOver(View acknowledging, Runnable acknowledge) {
    return () -> {
      if (view == acknowledging) {
        acknowledge.run();
      }
    };
  }

  /**
   * Writes what can be written twice: after a loss of the session, it is written again by what
   * holds then.
   */
  public <R> R write(Write<R> write) throws IOException {
    return write(write, true);
  }

  /**
   * Writes what must not be written twice.
   *
   * @throws OutcomeUnknownException if the session was lost meanwhile
   */
  public <R> R writeOnce(Write<R> write) throws IOException {
    return write(write, false);
  }

  private <R> R write(Write<R> write, boolean repeatable) throws IOException {
    if (membership == null) {
      return write.by(view);
    }
    long until = System.nanoTime() + patience.toNanos();
    for (; ; ) {
      awaitLease(until);
      long session = membership.session();
      View entered = enter(until);
      try {
        R result = write.by(entered);
        if (isStill(session, until)) {
          return result;
        }
      } finally {
        entered.leave();
      }
      if (!repeatable) {
        throw new OutcomeUnknownException(
            "session with ZooKeeper lost during a change that is not to be made twice: table="
                + name
                + "; it may or may not have been made: look before making it again");
      }
    }
  }

  /**
   * Begins writes that go on after this call; {@link #end} ends them.
   *
   * @return what holds for them
   */
  View begin() throws IOException {
    long until = System.nanoTime() + patience.toNanos();
    awaitLease(until);
    return enter(until);
  }

  /**
   * Counts as a write until closed, by the generation that is the only one now.
   *
   * @throws FencedException if there are two
   */
  public Closeable hold() throws IOException {
    awaitLease(System.nanoTime() + patience.toNanos());
    View held = tryBegin();
    if (held == null) {
      throw new FencedException(
          "table is being moved, so that only rows can be written, not files or batches past the"
              + " table: table="
              + name
              + "; wait until the move is over: evenkey migrate "
              + name
              + " --status");
    }
    return held::leave;
  }

  boolean isLeased() {
    return membership == null || membership.isLeased();
  }

  /**
   * Begins a write if it can be made at once, to one generation; {@link #end} ends it.
   *
   * @return null if it cannot
   */
  @Nullable View tryBegin() {
    View now = view;
    if (membership == null) {
      return now.enter() ? now : null;
    }
    if (!membership.isLeased()
        || now.phase().isFenced()
        || now.secondary() != null
        || !now.enter()) {
      return null;
    }
    if (now == view) {
      return now;
    }
    now.leave();
    return null;
  }

  /** The session that writes are begun in. */
  long session() {
    return membership == null ? 0 : membership.session();
  }

  /**
   * Ends writes.
   *
   * @throws OutcomeUnknownException if the session that they were begun in was lost meanwhile
   */
  void end(View begun, long session) throws IOException {
    try {
      if (membership != null && !isStill(session, System.nanoTime() + patience.toNanos())) {
        throw new OutcomeUnknownException(
            "session with ZooKeeper lost while a buffer was written: table="
                + name
                + "; write again what was put into it since the last flush");
      }
    } finally {
      begun.leave();
    }
  }

  private View enter(long until) throws IOException {
    for (; ; ) {
      View now = view;
      if (now.phase().isFenced()) {
        awaitOther(now, until);
      } else if (now.enter()) {
        if (now == view) {
          return now;
        }
        now.leave();
      }
    }
  }

  private synchronized void awaitOther(View fenced, long until) throws IOException {
    while (view == fenced) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        throw new FencedException(
            "table is being moved, and nobody may write: table="
                + name
                + " waited="
                + patience.toMillis()
                + " ms; see evenkey migrate "
                + name
                + " --status");
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a move lets nobody write");
      }
    }
  }

  private void awaitLease(long until) throws IOException {
    if (membership != null && !leased(until)) {
      throw new FencedException(
          "no session with ZooKeeper, so that somebody may be moving the table unseen: table="
              + name
              + " waited="
              + patience.toMillis()
              + " ms; check ZooKeeper, then try again");
    }
  }

  private boolean leased(long until) throws IOException {
    Membership member = membership;
    if (member == null || member.isLeased()) {
      return true;
    }
    try {
      return member.awaitLease(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a session with ZooKeeper");
    }
  }

  private boolean isStill(long session, long until) throws IOException {
    if (!leased(until)) {
      throw new OutcomeUnknownException(
          "no session with ZooKeeper since a write was begun: table="
              + name
              + "; it may or may not count: look before writing it again");
    }
    return session() == session;
  }

  /**
   * Reads: not what others may have left meanwhile.
   *
   * @param read by the generation that is read
   */
  public <R> R read(Write<R> read) throws IOException {
    View now = view;
    if (now.epoch() == 0 || membership == null) {
      return read.by(now);
    }
    long until = System.nanoTime() + patience.toNanos();
    for (; ; ) {
      awaitLease(until);
      long session = membership.session();
      R result = read.by(view);
      if (isStill(session, until)) {
        return result;
      }
    }
  }
}
