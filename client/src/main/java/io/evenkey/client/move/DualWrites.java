package io.evenkey.client.move;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to both generations of a table, by logical keys: first to the one that is read, whose
 * server says at what time that was; then to the other one, with the same timestamps. What depends
 * on what is there is done in the first alone, while a lock keeps others off the row, and its
 * result is mirrored. As thread-safe as the tables.
 */
final class DualWrites {
  private static final Logger LOG = LoggerFactory.getLogger(DualWrites.class);
  private static final AtomicLong LOCKS = new AtomicLong();
  private static final int LONGEST_PAUSE_MS = 100;

  private final LiveTable live;
  private final Table primary;
  private final Table secondary;
  private final ServerClocks clocks;
  private final Timed.Families families;

  DualWrites(
      LiveTable live,
      Table primary,
      Table secondary,
      ServerClocks clocks,
      Timed.Families families) {
    this.live = live;
    this.primary = primary;
    this.secondary = secondary;
    this.clocks = clocks;
    this.families = families;
  }

  private Timed timed(Row action) throws IOException {
    return Timed.of(action, families, primary);
  }

  void put(Put put) throws IOException {
    mutateRow(new RowMutations(put.getRow()).add(List.of(put)));
  }

  /**
   * Writes several rows; those that cannot be written do not keep the others from being.
   *
   * @param results where an empty result goes for each put, or why it failed
   * @param from where the first put's is
   * @throws IOException if it is not known of any of them whether it was written
   */
  void puts(List<Put> puts, Object[] results, int from) throws IOException {
    if (puts.size() == 1) {
      put(puts.get(0));
      results[from] = Result.EMPTY_RESULT;
      return;
    }
    List<Timed> timed = new ArrayList<>(puts.size());
    List<Row> asked = new ArrayList<>(puts.size());
    for (Put put : puts) {
      Timed one = timed(put);
      timed.add(one);
      asked.add(one.asked());
    }
    Object[] told = Outcomes.of(primary, asked);
    List<Row> made = new ArrayList<>(puts.size());
    List<Integer> whose = new ArrayList<>(puts.size());
    for (int i = 0; i < told.length; i++) {
      try {
        for (Mutation put : timed.get(i).made(result(told[i]))) {
          made.add(put);
          whose.add(i);
        }
        results[from + i] = Result.EMPTY_RESULT;
      } catch (IOException | RuntimeException e) {
        results[from + i] = e;
      }
    }
    Object[] mirrored = Outcomes.of(secondary, made);
    for (int i = 0; i < mirrored.length; i++) {
      if (!(mirrored[i] instanceof Result)) {
        results[from + whose.get(i)] = mirrored[i];
      }
    }
  }

  private static Result result(Object told) throws IOException {
    if (told instanceof Result result) {
      return result;
    }
    throw told instanceof IOException failed ? failed : new IOException((Throwable) told);
  }

  void delete(Delete delete) throws IOException {
    mutateRow(new RowMutations(delete.getRow()).add(List.of(delete)));
  }

  Result increment(Increment increment) throws IOException {
    Result told = mutateRow(new RowMutations(increment.getRow()).add(List.of(increment)));
    return increment.isReturnResults() ? told : Result.EMPTY_RESULT;
  }

  Result append(Append append) throws IOException {
    Result told = mutateRow(new RowMutations(append.getRow()).add(List.of(append)));
    return append.isReturnResults() ? told : Result.EMPTY_RESULT;
  }

  Result mutateRow(RowMutations mutations) throws IOException {
    if (!Timed.isSimple(mutations)) {
      return locked(mutations.getRow(), () -> changed(timed(mutations)));
    }
    Done<Result> done = changed(timed(mutations));
    if (!done.mirrored.isEmpty()) {
      secondary.mutateRow(new RowMutations(mutations.getRow()).add(done.mirrored));
    }
    return done.result;
  }

  private Done<Result> changed(Timed timed) throws IOException {
    if (timed.isEmpty()) {
      return new Done<>(Result.EMPTY_RESULT, List.of(), 0);
    }
    Result told = primary.mutateRow(timed.asked());
    return new Done<>(Timed.withoutTime(told), timed.made(told), ServerClocks.time(told));
  }

  CheckAndMutateResult check(CheckAndMutate check) throws IOException {
    return locked(
        check.getRow(),
        () -> {
          Row action = check.getAction();
          Timed timed = timed(action);
          if (timed.isEmpty()) {
            // Only the check is left: its answer is the same for a change of nothing.
            CheckAndMutateResult told = primary.checkAndMutate(same(check).build(nothing(check)));
            return new Done<>(told, List.of(), 0);
          }
          CheckAndMutateResult told = primary.checkAndMutate(same(check).build(timed.asked()));
          if (!told.isSuccess()) {
            return new Done<>(told, List.of(), 0);
          }
          Result counted = told.getResult();
          boolean returns = !(action instanceof Put || action instanceof Delete);
          return new Done<>(
              new CheckAndMutateResult(true, returns ? Timed.withoutTime(counted) : null),
              timed.checked(counted, primary),
              ServerClocks.time(counted));
        });
  }

  private static Delete nothing(CheckAndMutate check) {
    return ServerClocks.forget(check.getRow());
  }

  private static CheckAndMutate.Builder same(CheckAndMutate check) {
    CheckAndMutate.Builder builder =
        CheckAndMutate.newBuilder(check.getRow()).timeRange(check.getTimeRange());
    return check.hasFilter()
        ? builder.ifMatches(check.getFilter())
        : builder.ifMatches(
            check.getFamily(), check.getQualifier(), check.getCompareOp(), check.getValue());
  }

  /** The same of any kind of action, as in a batch. */
  Object any(Row action) throws IOException {
    if (action instanceof Put put) {
      put(put);
    } else if (action instanceof Delete delete) {
      delete(delete);
    } else if (action instanceof Increment increment) {
      return increment(increment);
    } else if (action instanceof Append append) {
      return append(append);
    } else if (action instanceof RowMutations mutations) {
      return mutateRow(mutations);
    } else if (action instanceof CheckAndMutate check) {
      return check(check);
    } else {
      throw new IllegalArgumentException(
          "action of an unknown kind on a table that is moved: " + action.getClass().getName());
    }
    return Result.EMPTY_RESULT;
  }

  /**
   * What was done to the generation that is read.
   *
   * @param result what the caller gets
   * @param mirrored what makes the other one the same; nothing if nothing was changed
   * @param timeMs when, by the server's clock
   */
  private record Done<R>(R result, List<Mutation> mirrored, long timeMs) {}

  @FunctionalInterface
  private interface Change<R> {
    Done<R> apply() throws IOException;
  }

  private <R> R locked(byte[] row, Change<R> change) throws IOException {
    byte[] holder = Bytes.toBytes(live.client() + "/" + LOCKS.incrementAndGet());
    lock(row, holder);
    boolean released = false;
    try {
      Done<R> done = change.apply();
      if (!done.mirrored.isEmpty() && !isInTime(done.timeMs)) {
        throw new OutcomeUnknownException(
            "lease over while a row was changed: table="
                + live.name()
                + "; it may or may not have been changed: look before changing it again");
      }
      released = release(row, holder, done.mirrored);
      if (!released && !done.mirrored.isEmpty()) {
        throw new OutcomeUnknownException(
            "lock of a row broken while it was changed: table="
                + live.name()
                + " row="
                + Bytes.toStringBinary(row)
                + "; it may or may not have been changed: look before changing it again");
      }
      return done.result;
    } finally {
      if (!released) {
        leave(row, holder);
      }
    }
  }

  // A server that is behind says that it was earlier than it was.
  private boolean isInTime(long serverMs) {
    long atLatest = serverMs + clocks.behindMs();
    return atLatest <= System.currentTimeMillis() + live.leaseLeftMs();
  }

  private void lock(byte[] row, byte[] holder) throws IOException {
    CheckAndMutate take =
        CheckAndMutate.newBuilder(row)
            .ifNotExists(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK)
            .build(lockPut(row, holder));
    long until = System.nanoTime() + live.patience().toNanos();
    int pause = 1;
    while (!secondary.checkAndMutate(take).isSuccess()) {
      if (System.nanoTime() - until > 0) {
        throw new FencedException(
            "row is locked by another client while the table is moved: table="
                + live.name()
                + " row="
                + Bytes.toStringBinary(row)
                + "; evenkey migrate "
                + live.name()
                + " --resume releases what dead clients have locked");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(1 + ThreadLocalRandom.current().nextInt(pause));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for a locked row");
      }
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
  }

  private static Put lockPut(byte[] row, byte[] holder) {
    return new Put(row).addColumn(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK, holder);
  }

  private boolean release(byte[] row, byte[] holder, List<Mutation> mirrored) throws IOException {
    List<Mutation> all = new ArrayList<>(mirrored);
    // Deleted, it would hide the next lock of the same millisecond. Empty counts as not there.
    all.add(lockPut(row, new byte[0]));
    return secondary
        .checkAndMutate(ifHeld(row, holder).build(new RowMutations(row).add(all)))
        .isSuccess();
  }

  private static CheckAndMutate.Builder ifHeld(byte[] row, byte[] holder) {
    return CheckAndMutate.newBuilder(row)
        .ifEquals(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK, holder);
  }

  // The row has to be compared before anybody changes it again: whoever moves the table does that.
  private void leave(byte[] row, byte[] holder) {
    try {
      secondary.checkAndMutate(
          ifHeld(row, holder)
              .build(lockPut(row, Bytes.toBytes(MoveColumns.LEFT + Bytes.toString(holder)))));
    } catch (IOException e) {
      // The lock stays this client's: the migration takes it when the client's session ends.
      LOG.warn(
          "lock of a row not given up: row={} reason={}; writes of the row wait until this client"
              + " ends, or the migration goes on",
          Bytes.toStringBinary(row),
          e.toString());
    }
  }
}
