/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.index.IndexedWrite;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.RefusedWrites;
import io.evenkey.client.internal.route.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.MutationLimit;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/**
 * A buffered mutator whose rows are logical keys, whatever the layout and the generation: HBase's
 * own does the buffering. Mutations that region servers refuse because the table is another
 * generation now, or because a migration does not allow writes for a moment, are written again,
 * before any later one.
 *
 * <p>The exception listener is given mutations that say the same as the caller's, under the logical
 * key; they are other objects, since the caller's are not kept. What the listener throws is thrown
 * by the call that flushed; by the next call, if no call of the application did. Mutations that the
 * listener hands in while it is called wait for the next call. Thread-safe.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public final class LogicalBufferedMutator implements BufferedMutator {
  /** HBase's default, where only the timeout is given. */
  private static final long DEFAULT_TICK_MS = 1_000;

  private final Connection plain;
  private final Route route;
  private final BufferedMutatorParams params;
  private final @Nullable ExceptionListener listener;
  private final PeriodicFlush periodic = new PeriodicFlush(this::flushIfOlderThan);
  private final RefusedWrites refused;
  private final EntryWriter entries;

  /** Of a table with indexes, whose entries are written before HBase's buffer gets the rows. */
  private final WaitingRows waiting = new WaitingRows();

  private Generation generation;
  private BufferedMutator mutator;

  /** When the oldest mutation of the buffer came in, by {@link System#nanoTime}; 0 if empty. */
  private long since;

  /** Of a call that no application made. */
  private @Nullable IOException failure;

  private boolean calling;
  private boolean closed;

  /** Handed in by the exception listener. */
  private final List<Mutation> later = new ArrayList<>();

  private LogicalBufferedMutator(
      Connection plain, Route route, BufferedMutatorParams given, EntryTables indexes)
      throws IOException {
    this.plain = plain;
    this.route = route;
    this.entries = new EntryWriter(indexes);
    this.listener = given.getListener();
    this.params = MutatorParams.of(given.getTableName(), given).listener(this::failed);
    this.refused = new RefusedWrites(route);
    this.generation = route.now();
    this.mutator = opened(generation);
    long timeoutMs = mutator.getWriteBufferPeriodicFlushTimeoutMs();
    long tickMs = mutator.getWriteBufferPeriodicFlushTimerTickMs();
    // HBase's own timer would flush without writing again what is refused.
    params.setWriteBufferPeriodicFlushTimeoutMs(0);
    mutator.disableWriteBufferPeriodicFlush();
    periodic.set(timeoutMs, tickMs);
  }

  /**
   * Opens one.
   *
   * @param plain a connection to which rows are what is stored
   * @param indexes opens the tables of the table's indexes
   */
  public static BufferedMutator open(
      Connection plain, Route route, BufferedMutatorParams params, EntryTables indexes)
      throws IOException {
    return new LogicalBufferedMutator(plain, route, params, indexes);
  }

  private BufferedMutator opened(Generation of) throws IOException {
    synchronized (params) {
      return plain.getBufferedMutator(MutatorParams.of(of.physical(), params));
    }
  }

  // Called by HBase's mutator, while this one is called.
  private void failed(RetriesExhaustedWithDetailsException physical, BufferedMutator behind)
      throws RetriesExhaustedWithDetailsException {
    RetriesExhaustedWithDetailsException rest =
        refused.take(Failures.logical(physical, generation.rows()::logical), generation);
    if (rest != null) {
      report(rest);
    }
  }

  private void report(RetriesExhaustedWithDetailsException failed)
      throws RetriesExhaustedWithDetailsException {
    if (listener == null) {
      throw failed;
    }
    listener.onException(failed, this);
  }

  @Override
  public TableName getName() {
    return route.table();
  }

  @Override
  public Configuration getConfiguration() {
    return plain.getConfiguration();
  }

  @Override
  public void mutate(Mutation mutation) throws IOException {
    mutate(List.of(mutation));
  }

  @Override
  public synchronized void mutate(List<? extends Mutation> mutations) throws IOException {
    checkOpen();
    if (calling) {
      check(mutations);
      later.addAll(mutations);
      return;
    }
    IOException failed = both(takeFailure(), addLater());
    throwIfAny(both(failed, add(mutations)));
  }

  private void check(List<? extends Mutation> mutations) {
    int most = params.getMaxKeyValueSize();
    for (Mutation mutation : mutations) {
      PutCheck.check(
          (Row) mutation, most < 0 ? PutCheck.mostBytes(plain.getConfiguration()) : most);
      generation.rows().physical(mutation.getRow());
    }
  }

  private void checkOpen() {
    if (closed) {
      // HBase's words.
      throw new IllegalStateException("Cannot put when the BufferedMutator is closed.");
    }
  }

  private @Nullable IOException addLater() throws IOException {
    if (later.isEmpty()) {
      return null;
    }
    List<Mutation> all = List.copyOf(later);
    IOException failed = add(all);
    later.subList(0, all.size()).clear();
    return failed;
  }

  /**
   * Takes mutations.
   *
   * @return why some of these, or of those taken before, could not be written
   */
  private @Nullable IOException add(List<? extends Mutation> mutations) throws IOException {
    IOException failed = null;
    if (generation.rows().indexes() == null) {
      List<Mutation> physical = physical(mutations);
      begin();
      failed = guarded(() -> mutator.mutate(physical));
    } else {
      failed = addIndexed(mutations);
    }
    return refused.isEmpty() ? failed : both(failed, guarded(this::writeRefused));
  }

  private void begin() {
    if (since == 0) {
      since = System.nanoTime();
    }
  }

  private @Nullable IOException addIndexed(List<? extends Mutation> mutations) throws IOException {
    check(mutations);
    try {
      waiting.add(generation.rows(), mutations);
    } catch (IndexRefusedException e) {
      // By indexes that may be others now: what is buffered goes first, then they are looked up.
      IOException failed = flushed();
      IOException refusal =
          attempt(() -> adopt(route.call(now -> WaitingRows.checked(now, mutations))));
      throwIfAny(refusal == null ? null : both(refusal, failed));
      return both(failed, add(mutations));
    }
    begin();
    return waiting.bytes() < mutator.getWriteBufferSize() ? null : guarded(this::writeWaiting);
  }

  private void writeWaiting() throws IOException {
    write(waiting.takeAll());
  }

  /** Writes entries, and hands the rows to HBase's buffer whose entries were acknowledged. */
  private void write(WaitingRows rows) throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    IOException outdated = attempt(() -> rows.by(generation.rows()));
    if (outdated != null) {
      hand(rows, Collections.nCopies(rows.count(), outdated), List.of());
      return;
    }
    Iterator<WaitingRows> waves = rows.waves().iterator();
    while (waves.hasNext()) {
      writeWave(waves.next());
      IndexWrites indexes = generation.rows().indexes();
      if (indexes != null && indexes.hasMutable()) {
        // Another mutation of these rows must not be sent while one of them may be refused.
        mutator.flush();
        if (waves.hasNext()) {
          writeRefused();
        }
      }
    }
  }

  private void writeWave(WaitingRows rows) throws IOException {
    List<IndexedWrite> writes;
    List<@Nullable Throwable> failures;
    try {
      rows.by(generation.rows());
      writes = rows.writes(this::read);
      failures = Arrays.asList(entries.write(writes));
    } catch (IOException e) {
      hand(rows, Collections.nCopies(rows.count(), e), List.of());
      return;
    }
    List<Row> written = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      if (failures.get(i) == null) {
        written.add(writes.get(i).action());
      }
    }
    hand(rows, failures, written);
  }

  /** Hands rows to HBase's buffer, and reports those that cannot be written. */
  private void hand(
      WaitingRows rows, List<? extends @Nullable Throwable> failures, List<Row> written)
      throws IOException {
    RetriesExhaustedWithDetailsException failed = rows.failed(failures);
    List<Mutation> physical = new ArrayList<>(written.size());
    for (Row action : written) {
      physical.add((Mutation) generation.rows().afterEntries().physical(action));
    }
    mutator.mutate(physical);
    RetriesExhaustedWithDetailsException rest =
        failed == null ? null : refused.take(failed, generation);
    if (rest != null) {
      report(rest);
    }
  }

  private Result[] read(List<Get> gets) throws IOException {
    try (Table stored = plain.getTable(generation.physical())) {
      return EntryWriter.read(stored, generation.rows(), gets);
    }
  }

  private void adopt(Generation next) throws IOException {
    if (!next.physical().equals(generation.physical())) {
      BufferedMutator before = mutator;
      mutator = opened(next);
      before.close();
    }
    generation = next;
  }

  private List<Mutation> physical(List<? extends Mutation> mutations) throws IOException {
    if (generation.rows().isPlain() && !generation.rows().isOfMigration()) {
      return List.copyOf(mutations);
    }
    List<Mutation> physical = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      physical.add((Mutation) generation.rows().physical((Row) mutation));
    }
    return physical;
  }

  // Nothing newer is written before it.
  private void writeRefused() throws IOException {
    while (!refused.isEmpty()) {
      // What is still in the buffer is refused too, and is newer.
      mutator.flush();
      Generation next;
      try {
        next = refused.next(generation);
      } catch (IOException e) {
        List<Row> left = refused.takeAll();
        report(
            new RetriesExhaustedWithDetailsException(
                Collections.nCopies(left.size(), e), left, Collections.nCopies(left.size(), "")));
        return;
      }
      adopt(next);
      List<Mutation> again = new ArrayList<>();
      refused.takeAll().forEach(row -> again.add((Mutation) row));
      if (generation.rows().indexes() == null) {
        mutator.mutate(physical(again));
      } else {
        // With entries of their own: those of before may be swept.
        write(WaitingRows.of(generation.rows(), again));
      }
      mutator.flush();
    }
    refused.done();
  }

  @Override
  public synchronized void flush() throws IOException {
    checkOpen();
    if (!calling) {
      throwIfAny(flushed());
    }
  }

  private @Nullable IOException flushed() {
    IOException failed = attempt(() -> throwIfAny(addLater()));
    since = 0;
    failed = both(failed, guarded(this::writeWaiting));
    failed = both(failed, guarded(mutator::flush));
    failed = both(failed, guarded(this::writeRefused));
    return both(takeFailure(), failed);
  }

  private synchronized void flushIfOlderThan(long ms) {
    boolean due = since != 0 && System.nanoTime() - since >= TimeUnit.MILLISECONDS.toNanos(ms);
    if (closed || calling || !(due || !later.isEmpty())) {
      return;
    }
    try {
      failure = both(failure, flushed());
    } catch (RuntimeException e) {
      failure = both(failure, new IOException("exception listener failed: table=" + getName(), e));
    }
  }

  @FunctionalInterface
  private interface Call {
    void make() throws IOException;
  }

  /** The exception that a call throws; the call may call the exception listener. */
  private @Nullable IOException guarded(Call call) {
    calling = true;
    try {
      return attempt(call);
    } finally {
      calling = false;
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

  @Override
  public void close() throws IOException {
    periodic.stop();
    closeNow();
  }

  private synchronized void closeNow() throws IOException {
    if (closed) {
      return;
    }
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
                      + getName()
                      + " mutations="
                      + later.size()
                      + "; hand them in again before closing"));
    }
    closed = true;
    throwIfAny(both(failed, attempt(mutator::close)));
  }

  private synchronized BufferedMutator current() {
    return mutator;
  }

  @Override
  public long getWriteBufferSize() {
    return current().getWriteBufferSize();
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs) {
    periodic.set(timeoutMs, DEFAULT_TICK_MS);
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMs, long timerTickMs) {
    periodic.set(timeoutMs, timerTickMs);
  }

  @Override
  public void disableWriteBufferPeriodicFlush() {
    periodic.set(0, MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS);
  }

  @Override
  public long getWriteBufferPeriodicFlushTimeoutMs() {
    return periodic.timeoutMs();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimerTickMs() {
    return periodic.tickMs();
  }

  @Override
  public void setRpcTimeout(int timeout) {
    synchronized (params) {
      params.rpcTimeout(timeout);
    }
    current().setRpcTimeout(timeout);
  }

  @Override
  public void setOperationTimeout(int timeout) {
    synchronized (params) {
      params.operationTimeout(timeout);
    }
    current().setOperationTimeout(timeout);
  }

  /** As in HBase since 2.5.12 and 2.6.4. */
  public int getMaxMutations() {
    return MutationLimit.of(params);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return params.getRequestAttributes();
  }
}
