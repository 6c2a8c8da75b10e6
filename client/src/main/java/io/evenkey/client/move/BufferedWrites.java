package io.evenkey.client.move;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait in a buffer: HBase's own while one generation is written, one here while two
 * are. They count as under way until they are flushed. A change of the migration's phase flushes
 * them.
 *
 * <p>Mutations that could not be written go to the exception listener. What the listener throws is
 * thrown by the call that flushed; by the next call, if no call of the application did. Such a call
 * has done its own work before it throws.
 *
 * <p>Mutations that the exception listener hands in while it is called wait for the next call.
 * Thread-safe.
 */
public final class BufferedWrites implements Closeable {
  /** What a buffer writes with. */
  public interface Target {
    /**
     * Opens HBase's buffered mutator of a generation, by logical keys, with the application's
     * settings and listener, and without a periodic flush.
     */
    BufferedMutator open(TableName generation) throws IOException;

    /**
     * Checks what HBase's mutator of a generation checks when it takes a mutation.
     *
     * @throws IllegalArgumentException if it would not take it
     */
    void check(TableName generation, Mutation mutation) throws IOException;

    /**
     * Calls the exception listener.
     *
     * @throws RetriesExhaustedWithDetailsException as the listener does; always if there is none
     */
    void failed(RetriesExhaustedWithDetailsException failure)
        throws RetriesExhaustedWithDetailsException;
  }

  private final LiveTable live;
  private final FollowingTable table;
  private final Target target;
  private final Closeable opened;
  private final Runnable onChange = this::flushEarly;

  private BufferedMutator mutator;
  private TableName generation;
  private volatile @Nullable View begun;
  private long begunAt;
  private long session;

  /** Of a call that no application made. */
  private @Nullable IOException failure;

  private boolean writing;
  private boolean closed;

  // Of both generations: HBase's buffers know only one.
  private final List<Mutation> buffer = new ArrayList<>();
  private long buffered;

  /** Handed in by the exception listener. */
  private final List<Mutation> later = new ArrayList<>();

  private BufferedWrites(
      LiveTable live,
      FollowingTable table,
      BufferedMutator mutator,
      Target target,
      Closeable opened) {
    this.live = live;
    this.table = table;
    this.mutator = mutator;
    this.generation = mutator.getName();
    this.target = target;
    this.opened = opened;
  }

  /**
   * Writes to a table.
   *
   * @param opened closed with this
   */
  public static BufferedWrites of(
      LiveTable live, FollowingTable table, Target target, Closeable opened) throws IOException {
    BufferedMutator first = target.open(live.reading());
    BufferedWrites writes = new BufferedWrites(live, table, first, target, opened);
    live.onChange(writes.onChange);
    return writes;
  }

  /** The table. */
  public TableName name() {
    return live.name();
  }

  /** HBase's mutator in use. */
  public synchronized BufferedMutator mutator() {
    return mutator;
  }

  /**
   * Writes, now or later.
   *
   * @throws IllegalStateException if this is closed
   * @throws FencedException if the mutations were not taken, since no write may begin now
   * @throws IOException if mutations of this or an earlier call could not be written
   */
  public synchronized void mutate(List<? extends Mutation> mutations) throws IOException {
    checkOpen();
    if (writing) {
      check(generation, mutations);
      later.addAll(mutations);
      return;
    }
    failure = both(failure, addLater());
    IOException failed = add(mutations);
    throwIfAny(both(takeFailure(), failed));
  }

  private void check(TableName of, List<? extends Mutation> mutations) throws IOException {
    for (Mutation mutation : mutations) {
      target.check(of, mutation);
    }
  }

  /** As {@link #add}, of what the exception listener has handed in. */
  private @Nullable IOException addLater() throws IOException {
    if (later.isEmpty()) {
      return null;
    }
    List<Mutation> all = List.copyOf(later);
    IOException failed = add(all);
    later.subList(0, all.size()).clear();
    return failed;
  }

  private void checkOpen() {
    if (closed) {
      // HBase's words.
      throw new IllegalStateException("Cannot put when the BufferedMutator is closed.");
    }
  }

  /**
   * Takes mutations.
   *
   * @return why some of these, or of those taken before, could not be written
   * @throws IOException if these could not be taken
   */
  private @Nullable IOException add(List<? extends Mutation> mutations) throws IOException {
    if (begun != null && begun != live.view()) {
      failure = both(failure, attempt(this::write));
    }
    View now = begun;
    if (now == null) {
      now = live.begin();
      session = live.session();
      begunAt = System.nanoTime();
      begun = now;
      if (now != live.view()) {
        // Changed too early for flushEarly to see that something was begun.
        LiveTable.THREADS.execute(onChange);
      }
    }
    if (now.secondary() == null) {
      BufferedMutator single = single(now.primary());
      return guarded(() -> single.mutate(mutations));
    }
    check(now.primary(), mutations);
    for (Mutation mutation : mutations) {
      buffer.add(mutation);
      buffered += mutation.heapSize();
    }
    return buffered > mutator.getWriteBufferSize() ? attempt(this::write) : null;
  }

  private BufferedMutator single(TableName primary) throws IOException {
    if (!primary.equals(generation)) {
      BufferedMutator before = mutator;
      mutator = target.open(primary);
      generation = primary;
      // Flushed when the phase changed; should it hold anything, its failure is to be seen.
      failure = both(failure, guarded(before::close));
    }
    return mutator;
  }

  /**
   * Waits until everything put in so far is written.
   *
   * @throws IllegalStateException if this is closed
   * @throws IOException if something could not be
   */
  public synchronized void flush() throws IOException {
    checkOpen();
    if (!writing) {
      throwIfAny(flushed());
    }
  }

  private @Nullable IOException flushed() {
    IOException failed = attempt(() -> throwIfAny(addLater()));
    failed = both(failed, attempt(this::write));
    return both(takeFailure(), failed);
  }

  /** Flushes, if the oldest mutation has waited for so long; called by a timer. */
  public synchronized void flushIfOlderThan(long ms) {
    boolean due = begun != null && System.nanoTime() - begunAt >= TimeUnit.MILLISECONDS.toNanos(ms);
    if (!closed && !writing && (due || !later.isEmpty())) {
      inBackground(() -> throwIfAny(flushed()));
    }
  }

  /** Writes all that was begun, and ends it. */
  private void write() throws IOException {
    View by = begun;
    if (by == null) {
      return;
    }
    IOException failed = null;
    RuntimeException thrown = null;
    try {
      failed = guarded(by.secondary() == null ? mutator::flush : () -> writeBoth(by));
    } catch (RuntimeException e) {
      // The exception listener's own.
      thrown = e;
    }
    begun = null;
    try {
      live.end(by, session);
    } catch (IOException e) {
      // Says more than which rows failed: of the others it is not known either.
      Throwable hidden = failed == null ? thrown : failed;
      if (hidden != null) {
        e.addSuppressed(hidden);
      }
      throw e;
    }
    if (thrown != null) {
      throw thrown;
    }
    throwIfAny(failed);
  }

  private void writeBoth(View by) throws IOException {
    List<Mutation> all = List.copyOf(buffer);
    buffer.clear();
    buffered = 0;
    try {
      table.mutate(by, all);
    } catch (RetriesExhaustedWithDetailsException e) {
      target.failed(e);
    } catch (IOException | RuntimeException e) {
      target.failed(
          new RetriesExhaustedWithDetailsException(
              Collections.nCopies(all.size(), e),
              List.copyOf(all),
              Collections.nCopies(all.size(), DualBatch.HOST)));
    }
  }

  @FunctionalInterface
  private interface Call {
    void make() throws IOException;
  }

  /** What a call throws; while it is made, the exception listener may be called. */
  private @Nullable IOException guarded(Call call) {
    writing = true;
    try {
      return attempt(call);
    } finally {
      writing = false;
    }
  }

  private static @Nullable IOException attempt(Call call) {
    try {
      call.make();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** Keeps what a call throws that the application has not made. */
  private void inBackground(Call call) {
    IOException failed;
    try {
      failed = attempt(call);
    } catch (RuntimeException e) {
      failed = new IOException("exception listener failed: table=" + live.name(), e);
    }
    failure = both(failure, failed);
  }

  private static @Nullable IOException both(
      @Nullable IOException first, @Nullable IOException second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    if (first != second) {
      first.addSuppressed(second);
    }
    return first;
  }

  private static void throwIfAny(@Nullable IOException failed) throws IOException {
    if (failed != null) {
      throw failed;
    }
  }

  private @Nullable IOException takeFailure() {
    IOException failed = failure;
    failure = null;
    return failed;
  }

  // Who waits to begin has begun nothing, and must not be waited for.
  private void flushEarly() {
    if (begun == null) {
      return;
    }
    synchronized (this) {
      View now = begun;
      if (now != null && now != live.view()) {
        inBackground(this::write);
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    live.forget(onChange);
    IOException failed = flushed();
    if (!later.isEmpty()) {
      failed = both(failed, flushed());
    }
    if (!later.isEmpty()) {
      failed =
          both(
              failed,
              new IOException(
                  "mutations of the exception listener not written before the close: table="
                      + live.name()
                      + " mutations="
                      + later.size()
                      + "; hand them in again before closing"));
    }
    closed = true;
    failed = both(failed, attempt(mutator::close));
    throwIfAny(both(failed, attempt(opened::close)));
  }
}
