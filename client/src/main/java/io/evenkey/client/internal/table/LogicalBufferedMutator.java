/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.route.TimeLimit;
import io.evenkey.client.internal.row.Attempts;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.MutationLimit;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableThreads;
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
  private final int usualMs;

  /** The threads of the buffer and the entries; null if the application gave its own. */
  private final @Nullable ExecutorService threads;

  private final @Nullable ExceptionListener listener;
  private final PeriodicFlush periodic = new PeriodicFlush(this::flushIfOlderThan);
  private final LogicalTable.AsyncTables later;

  /** Mutations of a table with indexes, which do not go through HBase's buffer. */
  private List<Mutation> waiting = new ArrayList<>();

  private long waitingBytes;

  /** Mutations that region servers rejected, in their order, until they are written again. */
  private List<Mutation> refused = new ArrayList<>();

  private Generation generation;
  private BufferedMutator mutator;

  /** The time limit of the present call. */
  private TimeLimit limit;

  /** When the oldest mutation of the buffer came in, by {@link System#nanoTime}; 0 if empty. */
  private long since;

  /** The failure of a periodic flush, which the application's next call throws. */
  private @Nullable IOException failure;

  /** An unchecked exception that the exception listener has thrown. */
  private @Nullable RuntimeException ofListener;

  private boolean calling;
  private boolean closed;

  /** Handed in by the exception listener. */
  private final Deque<Mutation> handedIn = new ArrayDeque<>();

  private LogicalBufferedMutator(
      Connection plain,
      Route route,
      BufferedMutatorParams given,
      LogicalTable.AsyncTables later,
      @Nullable ExecutorService threads)
      throws IOException {
    this.plain = plain;
    this.threads = threads;
    this.later = later;
    this.listener = given.getListener();
    this.params = MutatorParams.of(given.getTableName(), given).listener(this::failed);
    this.usualMs = usualTimeoutMs(plain.getConfiguration());
    this.route = route.within(this::timeoutMs);
    this.limit = this.route.limit();
    this.generation = this.route.now();
    if (!generation.rows().isPlain()) {
      ImportJob.check(plain.getConfiguration(), given.getTableName());
    }
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
   * @param later opens the table for what is done asynchronously
   */
  public static BufferedMutator open(
      Connection plain, Route route, BufferedMutatorParams params, LogicalTable.AsyncTables later)
      throws IOException {
    ExecutorService threads =
        params.getPool() == null ? TableThreads.ofBuffer(plain.getConfiguration()) : null;
    BufferedMutatorParams used = MutatorParams.of(params.getTableName(), params);
    if (threads != null) {
      used.pool(threads);
    }
    return new LogicalBufferedMutator(plain, route, used, later, threads);
  }

  private static int usualTimeoutMs(Configuration configuration) {
    return configuration.getInt(
        HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
        HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT);
  }

  private int timeoutMs() {
    synchronized (params) {
      int ms = params.getOperationTimeout();
      return ms < 0 ? usualMs : ms;
    }
  }

  /** The table for what HBase's buffer does not write, in the time that the call has left. */
  private LogicalAsyncTable<?> asyncTable() throws IOException {
    CallSettings settings;
    synchronized (params) {
      settings = MutatorParams.settings(params);
    }
    return later.open(route.restOf(limit), settings.within(limit), null).ofBuffer();
  }

  /** Has HBase's buffer take or send rows, in the time that the present call has left. */
  private void within(Call call) throws IOException {
    if (limit.isWhole()) {
      call.make();
      return;
    }
    // HBase takes 0 for no timeout; if the time is over, it says so of each row.
    mutator.setOperationTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, limit.leftMs())));
    try {
      call.make();
    } catch (SocketTimeoutException e) {
      // HBase gives up what is under way, and names no row of it.
      throw limit.late(e) instanceof IOException late ? late : e;
    } finally {
      mutator.setOperationTimeout(timeoutMs());
    }
  }

  private BufferedMutator opened(Generation of) throws IOException {
    synchronized (params) {
      return plain.getBufferedMutator(MutatorParams.of(of.physical(), params));
    }
  }

  // Called by HBase's mutator, while this one is called.
  private void failed(RetriesExhaustedWithDetailsException physical, BufferedMutator behind)
      throws RetriesExhaustedWithDetailsException {
    List<Throwable> causes = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < physical.getNumExceptions(); i++) {
      Throwable cause = physical.getCause(i);
      // Before it is copied, which begins to count again.
      boolean again =
          Route.isRefusal(cause, generation) && Attempts.canBeSentAgain(physical.getRow(i));
      Row row = generation.rows().logical(physical.getRow(i));
      if (again) {
        refused.add((Mutation) row);
      } else {
        causes.add(cause);
        rows.add(row);
        servers.add(physical.getHostnamePort(i));
      }
    }
    if (!rows.isEmpty()) {
      report(new RetriesExhaustedWithDetailsException(causes, rows, servers));
    }
  }

  private void report(@Nullable RetriesExhaustedWithDetailsException failed)
      throws RetriesExhaustedWithDetailsException {
    if (failed == null) {
      return;
    } else if (listener == null) {
      throw failed;
    }
    try {
      listener.onException(failed, this);
    } catch (RuntimeException e) {
      // Thrown when all rows that can be written are.
      ofListener = e;
    }
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
      handedIn.addAll(mutations);
      return;
    }
    limit = route.limit();
    // Kept for the next call, if these mutations are refused at once.
    IOException ofLater = addLater();
    failure = both(failure, ofLater);
    IOException now = add(mutations);
    failure = both(failure, now);
    throwIfAny(takeFailure());
  }

  private void check(List<? extends Mutation> mutations) {
    for (Mutation mutation : mutations) {
      PutCheck.check((Row) mutation, mostBytes());
      PutCheck.checkStored((Row) mutation, generation.rows(), mostBytes());
      generation.rows().physical(mutation.getRow());
    }
  }

  private int mostBytes() {
    int most = params.getMaxKeyValueSize();
    return most < 0 ? PutCheck.mostBytes(plain.getConfiguration()) : most;
  }

  private void checkOpen() {
    if (closed) {
      // HBase's words.
      throw new IllegalStateException("Cannot put when the BufferedMutator is closed.");
    }
  }

  private @Nullable IOException addLater() {
    IOException failed = null;
    for (int left = handedIn.size(); left > 0; left--) {
      List<Mutation> one = List.of(handedIn.remove());
      try {
        failed = both(failed, add(one));
      } catch (IOException | IllegalArgumentException e) {
        // No call of the application is to blame.
        failed = both(failed, guarded(() -> report(Failures.of(one, List.of(e)))));
      }
    }
    return failed;
  }

  /**
   * Takes mutations.
   *
   * @return why some of these, or of those taken before, could not be written
   */
  private @Nullable IOException add(List<? extends Mutation> mutations) throws IOException {
    route.checkRowBytes(generation);
    IOException failed = null;
    if (generation.rows().indexes() == null) {
      List<Mutation> physical = physical(mutations);
      begin();
      failed = guarded(() -> hand(physical, mutations));
    } else {
      failed = addIndexed(mutations);
    }
    return refused.isEmpty() ? failed : both(failed, guarded(this::writeRefused));
  }

  private void hand(List<Mutation> physical, List<? extends Mutation> mutations)
      throws IOException {
    try {
      mutator.mutate(physical);
    } catch (IllegalArgumentException e) {
      mutations.forEach(each -> PutCheck.checkStored((Row) each, generation.rows(), mostBytes()));
      throw e;
    }
  }

  private void begin() {
    if (since == 0) {
      since = System.nanoTime();
    }
  }

  private @Nullable IOException addIndexed(List<? extends Mutation> mutations) throws IOException {
    check(mutations);
    try {
      checkIndexed(generation, mutations);
    } catch (IndexRefusedException e) {
      // By indexes that may be others now: what is buffered goes first, then they are looked up.
      IOException failed = flushed();
      try {
        adopt(route.call(now -> checkIndexed(now, mutations)));
      } catch (IOException | IllegalArgumentException refusal) {
        failure = both(failure, failed);
        throw refusal;
      }
      return both(failed, add(mutations));
    }
    begin();
    waiting.addAll(mutations);
    mutations.forEach(mutation -> waitingBytes += mutation.heapSize());
    return waitingBytes < mutator.getWriteBufferSize() ? null : guarded(this::writeWaiting);
  }

  /** The generation, if the mutations can be written to it. */
  private static Generation checkIndexed(Generation to, List<? extends Mutation> mutations)
      throws IOException {
    IndexWrites indexes = to.rows().indexes();
    if (indexes != null) {
      PlannedWrites.of(indexes, mutations.stream().map(mutation -> (Row) mutation).toList())
          .check();
    }
    return to;
  }

  private void writeWaiting() throws IOException {
    List<Mutation> all = waiting;
    waiting = new ArrayList<>();
    waitingBytes = 0;
    writeLater(all);
  }

  /**
   * Writes rows, with their entries if the table has indexes, and repeats what is refused. All are
   * written that can be.
   */
  private void writeLater(List<Mutation> all) throws IOException {
    if (all.isEmpty()) {
      return;
    }
    List<? extends @Nullable Object> ends;
    try {
      ends = Arrays.asList(Futures.ends(MutatorTable.batch(asyncTable(), all)));
    } catch (IOException e) {
      ends = Collections.nCopies(all.size(), e);
    }
    report(Failures.of(all, ends.stream().map(Failures::ofHBase).toList()));
  }

  private void adopt(Generation next) throws IOException {
    if (!next.physical().equals(generation.physical())) {
      BufferedMutator before = mutator;
      mutator = opened(next);
      try {
        before.close();
      } finally {
        generation = next;
      }
    }
    generation = next;
  }

  private List<Mutation> physical(List<? extends Mutation> mutations) throws IOException {
    if (generation.rows().leavesWrites()) {
      return List.copyOf(mutations);
    }
    List<Mutation> physical = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      Row mapped = generation.rows().physical((Row) mutation);
      physical.add((Mutation) Attempts.of(mapped).action());
    }
    return physical;
  }

  // Nothing newer is written before it.
  private void writeRefused() throws IOException {
    if (refused.isEmpty()) {
      return;
    }
    // What is still in the buffer is refused too, and is newer.
    IOException failed = attempt(() -> within(mutator::flush));
    List<Mutation> again = refused;
    refused = new ArrayList<>();
    failed = both(failed, attempt(() -> writeLater(again)));
    throwIfAny(both(failed, attempt(() -> adopt(generationNow()))));
  }

  private Generation generationNow() {
    try {
      return route.now(limit);
    } catch (IOException e) {
      // Each row that was to be written again has failed by itself; the next call looks again.
      return generation;
    }
  }

  @Override
  public synchronized void flush() throws IOException {
    checkOpen();
    if (!calling) {
      limit = route.limit();
      throwIfAny(flushed());
    }
  }

  private @Nullable IOException flushed() {
    IOException failed = addLater();
    since = 0;
    failed = both(failed, guarded(this::writeWaiting));
    failed = both(failed, guarded(() -> within(mutator::flush)));
    failed = both(failed, guarded(this::writeRefused));
    return both(takeFailure(), failed);
  }

  private synchronized void flushIfOlderThan(long ms) {
    boolean due = since != 0 && System.nanoTime() - since >= TimeUnit.MILLISECONDS.toNanos(ms);
    if (closed || calling || !(due || !handedIn.isEmpty())) {
      return;
    }
    try {
      limit = route.limit();
      failure = both(failure, flushed());
    } catch (Throwable e) {
      // Thrown to the timer, it would end all later flushes.
      failure =
          both(failure, new EvenkeyException("exception listener failed: table=" + getName(), e));
    }
  }

  @FunctionalInterface
  private interface Call {
    void make() throws IOException;
  }

  /** The exception that a call throws; the call may call the exception listener. */
  private @Nullable IOException guarded(Call call) {
    IOException failed;
    calling = true;
    try {
      failed = attempt(call);
    } finally {
      calling = false;
    }
    RuntimeException thrown = ofListener;
    if (thrown != null) {
      ofListener = null;
      failure = both(failure, failed);
      throw thrown;
    }
    return failed;
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
    limit = route.limit();
    IOException failed = flushed();
    if (!handedIn.isEmpty()) {
      limit = route.limit();
      failed = both(failed, flushed());
    }
    if (!handedIn.isEmpty()) {
      failed =
          both(
              failed,
              new EvenkeyException(
                  "mutations that the exception listener handed in were not written before the"
                      + " close: table="
                      + getName()
                      + " mutations="
                      + handedIn.size()
                      + "; hand them in again before closing"));
    }
    closed = true;
    failed = both(failed, attempt(mutator::close));
    if (threads != null) {
      threads.shutdown();
    }
    throwIfAny(failed);
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

  /** Does what HBase does since 2.5.12 and 2.6.4. */
  public int getMaxMutations() {
    return MutationLimit.of(params);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return params.getRequestAttributes();
  }
}
