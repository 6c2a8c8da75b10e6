package io.evenkey.client.move;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait in a buffer: they count as under way until they are flushed, and are flushed
 * when something else is to be done with later ones. Thread-safe.
 */
public final class BufferedWrites implements Closeable {
  /** Where a buffered mutator of one generation is opened, by logical keys. */
  @FunctionalInterface
  public interface Mutators {
    /** Opens one. */
    BufferedMutator open(TableName generation) throws IOException;
  }

  private final LiveTable live;
  private final FollowingTable table;
  private final Mutators mutators;
  private final Closeable opened;
  private final Runnable onChange = this::flushEarly;

  private BufferedMutator mutator;
  private TableName generation;
  private volatile @Nullable View begun;
  private long session;
  private @Nullable IOException failure;

  // Of both generations: HBase's buffers know only one.
  private final List<Mutation> buffer = new ArrayList<>();
  private long buffered;

  private BufferedWrites(
      LiveTable live,
      FollowingTable table,
      BufferedMutator mutator,
      Mutators mutators,
      Closeable opened) {
    this.live = live;
    this.table = table;
    this.mutator = mutator;
    this.generation = mutator.getName();
    this.mutators = mutators;
    this.opened = opened;
  }

  /**
   * Writes to a table.
   *
   * @param mutator of the generation that is read now
   * @param opened closed with this
   */
  public static BufferedWrites of(
      LiveTable live,
      FollowingTable table,
      BufferedMutator mutator,
      Mutators mutators,
      Closeable opened) {
    BufferedWrites writes = new BufferedWrites(live, table, mutator, mutators, opened);
    live.onChange(writes.onChange);
    return writes;
  }

  /** The table. */
  public TableName name() {
    return live.name();
  }

  /**
   * Writes, now or later.
   *
   * @throws IOException if this, or something put in before, could not be written
   */
  public synchronized void mutate(List<? extends Mutation> mutations) throws IOException {
    rethrow();
    View now = begun;
    if (now != null && now != live.view()) {
      flush();
      now = null;
    }
    if (now == null) {
      now = live.begin();
      session = live.session();
      begun = now;
    }
    if (now.secondary() == null) {
      single(now.primary()).mutate(mutations);
      return;
    }
    for (Mutation mutation : mutations) {
      buffer.add(mutation);
      buffered += mutation.heapSize();
    }
    if (buffered > mutator.getWriteBufferSize()) {
      flush();
    }
  }

  private BufferedMutator single(TableName primary) throws IOException {
    if (!primary.equals(generation)) {
      mutator.close();
      mutator = mutators.open(primary);
      generation = primary;
    }
    return mutator;
  }

  /**
   * Waits until everything put in so far is written.
   *
   * @throws IOException if something could not be
   */
  public synchronized void flush() throws IOException {
    rethrow();
    View by = begun;
    if (by == null) {
      mutator.flush();
      return;
    }
    try {
      if (by.secondary() == null) {
        mutator.flush();
      } else {
        List<Mutation> all = List.copyOf(buffer);
        buffer.clear();
        buffered = 0;
        table.mutate(by, all);
      }
    } finally {
      begun = null;
      live.end(by, session);
    }
  }

  private void rethrow() throws IOException {
    IOException failed = failure;
    if (failed != null) {
      failure = null;
      throw failed;
    }
  }

  // Who waits to begin has begun nothing, and must not be waited for.
  private void flushEarly() {
    if (begun == null) {
      return;
    }
    synchronized (this) {
      try {
        flush();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    live.forget(onChange);
    try {
      flush();
    } finally {
      mutator.close();
      opened.close();
    }
  }
}
