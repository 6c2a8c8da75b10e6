package io.evenkey.client.move;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
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

/**
 * Writes to both generations of a table, by logical keys: first to the one that is read. What
 * depends on what is there is done there alone, while a lock keeps others off the row, and its
 * result is mirrored. As thread-safe as the tables.
 */
final class DualWrites {
  private static final AtomicLong LOCKS = new AtomicLong();
  private static final int LONGEST_PAUSE_MS = 100;

  private final LiveTable live;
  private final Table primary;
  private final Table secondary;
  private final Stamped stamped;

  DualWrites(LiveTable live, Table primary, Table secondary, Stamped.Families families) {
    this.live = live;
    this.primary = primary;
    this.secondary = secondary;
    this.stamped = new Stamped(live.stamps(), families);
  }

  void put(List<Put> puts) throws IOException {
    List<Put> both = new ArrayList<>(puts.size());
    for (Put put : puts) {
      both.add((Put) stamped.of(put));
    }
    primary.put(both);
    secondary.put(both);
  }

  void delete(Delete delete) throws IOException {
    if (Stamped.isSimple(delete)) {
      Delete both = (Delete) stamped.of(delete);
      primary.delete(both);
      secondary.delete(both);
    } else {
      locked(delete.getRow(), () -> delete(delete, Stamped.resolved(delete, primary)));
    }
  }

  private Done<Result> delete(Delete wanted, Delete resolved) throws IOException {
    if (resolved.isEmpty()) {
      return new Done<>(Result.EMPTY_RESULT, List.of(), 0);
    }
    Mutation both = stamped.of(resolved, stamped.next(wanted.getRow()));
    Result told = primary.mutateRow(timed(List.of(both)));
    return new Done<>(Result.EMPTY_RESULT, List.of(both), ServerClocks.time(told));
  }

  Result increment(Increment increment) throws IOException {
    return locked(
        increment.getRow(),
        () -> {
          Increment asking = new Increment(increment).setReturnResults(true);
          return counted(increment, primary.increment(asking), increment.isReturnResults());
        });
  }

  Result append(Append append) throws IOException {
    return locked(
        append.getRow(),
        () -> {
          Append asking = new Append(append).setReturnResults(true);
          return counted(append, primary.append(asking), append.isReturnResults());
        });
  }

  private static Done<Result> counted(Mutation change, Result counted, boolean wanted) {
    return new Done<>(
        wanted ? counted : Result.EMPTY_RESULT, List.of(asPut(change, counted)), latest(counted));
  }

  /** What an increment or append has made of its columns, as a put. */
  private static Put asPut(Mutation change, Result counted) {
    Put put = Stamped.likeIn(change, new Put(change.getRow()));
    for (Cell cell : counted.rawCells()) {
      byte[] family = CellUtil.cloneFamily(cell);
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      if (change.has(family, qualifier)) {
        put.addColumn(family, qualifier, cell.getTimestamp(), CellUtil.cloneValue(cell));
      }
    }
    return put;
  }

  private static long latest(Result counted) {
    long latest = 0;
    for (Cell cell : counted.rawCells()) {
      latest = Math.max(latest, cell.getTimestamp());
    }
    return latest;
  }

  Result mutateRow(RowMutations mutations) throws IOException {
    if (Stamped.isSimple(mutations)) {
      RowMutations both = (RowMutations) stamped.of(mutations);
      Result result = primary.mutateRow(both);
      secondary.mutateRow(both);
      return result;
    }
    return locked(
        mutations.getRow(),
        () -> {
          List<Mutation> changes = stamped(mutations.getMutations());
          Result told = primary.mutateRow(timed(changes));
          return new Done<>(withoutClock(told), mirrored(changes, told), ServerClocks.time(told));
        });
  }

  CheckAndMutateResult check(CheckAndMutate check) throws IOException {
    return locked(
        check.getRow(),
        () -> {
          Row action = check.getAction();
          List<Mutation> changes =
              stamped(
                  action instanceof RowMutations several
                      ? several.getMutations()
                      : List.of((Mutation) action));
          CheckAndMutateResult told = primary.checkAndMutate(same(check).build(timed(changes)));
          if (!told.isSuccess()) {
            return new Done<>(told, List.of(), 0);
          }
          Result counted = told.getResult();
          boolean returns = action instanceof Increment || action instanceof Append;
          boolean several = action instanceof RowMutations;
          return new Done<>(
              new CheckAndMutateResult(true, returns || several ? withoutClock(counted) : null),
              mirrored(changes, counted),
              ServerClocks.time(counted));
        });
  }

  private static CheckAndMutate.Builder same(CheckAndMutate check) {
    CheckAndMutate.Builder builder =
        CheckAndMutate.newBuilder(check.getRow()).timeRange(check.getTimeRange());
    return check.hasFilter()
        ? builder.ifMatches(check.getFilter())
        : builder.ifMatches(
            check.getFamily(), check.getQualifier(), check.getCompareOp(), check.getValue());
  }

  private List<Mutation> stamped(List<Mutation> mutations) throws IOException {
    List<Mutation> changes = new ArrayList<>(mutations.size());
    long stamp = mutations.isEmpty() ? 0 : stamped.next(mutations.get(0).getRow());
    for (Mutation mutation : mutations) {
      if (mutation instanceof Delete delete) {
        Delete resolved = Stamped.isSimple(delete) ? delete : Stamped.resolved(delete, primary);
        // Without cells it would mean the whole row.
        if (!resolved.isEmpty() || delete.isEmpty()) {
          changes.add(stamped.of(resolved, stamp));
        }
      } else if (mutation instanceof Put) {
        changes.add(stamped.of(mutation, stamp));
      } else if (mutation instanceof Increment increment) {
        changes.add(new Increment(increment).setReturnResults(true));
      } else {
        changes.add(new Append((Append) mutation).setReturnResults(true));
      }
    }
    return changes;
  }

  /** The same, and a question for the server's time. */
  private static RowMutations timed(List<Mutation> changes) throws IOException {
    byte[] row = changes.get(0).getRow();
    List<Mutation> all = new ArrayList<>(changes);
    all.add(ServerClocks.ask(row));
    all.add(ServerClocks.forget(row));
    return new RowMutations(row).add(all);
  }

  private static List<Mutation> mirrored(List<Mutation> changes, Result told) {
    List<Mutation> mirrored = new ArrayList<>(changes.size());
    for (Mutation change : changes) {
      mirrored.add(
          change instanceof Put || change instanceof Delete ? change : asPut(change, told));
    }
    return mirrored;
  }

  private static Result withoutClock(Result told) {
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : told.rawCells()) {
      if (!CellUtil.matchingFamily(cell, MoveColumns.FAMILY_BYTES)) {
        cells.add(cell);
      }
    }
    return Result.create(cells);
  }

  /** The same of any kind of action, as in a batch. */
  Object any(Row action) throws IOException {
    if (action instanceof Put put) {
      put(List.of(put));
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
    long atLatest = serverMs + live.stamps().clocks().behindMs();
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
      // Then it looks as if this client had died, and is found so when its session ends.
    }
  }
}
