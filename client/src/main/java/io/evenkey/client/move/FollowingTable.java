package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads and writes of a table by logical keys, wherever its generations are: in the one that is
 * read, and in both while they are to be kept alike. As thread-safe as the tables.
 */
public final class FollowingTable {
  /** Where the generations are opened. */
  public interface Generations {
    /** A generation, by logical keys; stays open as long as this does. */
    Table open(TableName generation) throws IOException;

    /** The families of a generation, without {@link MoveColumns#FAMILY}. */
    Set<byte[]> families(TableName generation) throws IOException;

    /** The clocks of the servers that have these. */
    ServerClocks clocks(List<TableName> generations) throws IOException;
  }

  /** A read or a write of a table. */
  @FunctionalInterface
  public interface Call<R> {
    /** Makes it. */
    R on(Table table) throws IOException;
  }

  /** A write of both tables. */
  @FunctionalInterface
  private interface Both<R> {
    R by(DualWrites writes) throws IOException;
  }

  private final LiveTable live;
  private final Generations generations;

  /** A table. */
  public FollowingTable(LiveTable live, Generations generations) {
    this.live = live;
    this.generations = generations;
  }

  /** The generation that is read, as it is now. */
  public Table reading() throws IOException {
    return generations.open(live.reading());
  }

  /** Reads. */
  public <R> R read(Call<R> call) throws IOException {
    return live.read(view -> call.on(generations.open(view.primary())));
  }

  private <R> LiveTable.Write<R> write(Call<R> one, Both<R> both) {
    return view -> {
      TableName other = view.secondary();
      return other == null ? one.on(generations.open(view.primary())) : both.by(both(view, other));
    };
  }

  private DualWrites both(View view, TableName other) throws IOException {
    return new DualWrites(
        live,
        generations.open(view.primary()),
        generations.open(other),
        live.clocks(view, () -> generations.clocks(List.of(view.primary(), other))),
        () -> generations.families(view.primary()));
  }

  /** Writes to both generations what was begun by a view that has two. */
  void mutate(View by, List<? extends Row> mutations) throws IOException {
    TableName other = by.secondary();
    if (other == null) {
      throw new IllegalArgumentException("only one generation is written: " + by);
    }
    new DualBatch(both(by, other), reading(), new Object[mutations.size()]).run(mutations);
  }

  /** As {@link Table#put(Put)}. */
  public void put(Put put, Call<Result> one) throws IOException {
    live.write(
        write(
            one,
            both -> {
              both.put(put);
              return Result.EMPTY_RESULT;
            }));
  }

  /** As {@link Table#delete(Delete)}. */
  public void delete(Delete delete, Call<Result> one) throws IOException {
    Both<Result> two =
        both -> {
          both.delete(delete);
          return Result.EMPTY_RESULT;
        };
    if (Timed.isSimple(delete)) {
      live.write(write(one, two));
    } else {
      live.writeOnce(write(one, two));
    }
  }

  /** As {@link Table#increment}. */
  public Result increment(Increment increment) throws IOException {
    return live.writeOnce(
        write(table -> table.increment(increment), two -> two.increment(increment)));
  }

  /** As {@link Table#append}. */
  public Result append(Append append) throws IOException {
    return live.writeOnce(write(table -> table.append(append), two -> two.append(append)));
  }

  /** As {@link Table#mutateRow}. */
  public Result mutateRow(RowMutations mutations) throws IOException {
    LiveTable.Write<Result> write =
        write(table -> table.mutateRow(mutations), two -> two.mutateRow(mutations));
    return Timed.isSimple(mutations) ? live.write(write) : live.writeOnce(write);
  }

  /** As {@link Table#checkAndMutate(CheckAndMutate)}. */
  public CheckAndMutateResult check(CheckAndMutate check) throws IOException {
    return live.writeOnce(write(table -> table.checkAndMutate(check), two -> two.check(check)));
  }

  /** As {@link Table#checkAndMutate(List)}. */
  public List<CheckAndMutateResult> checks(List<CheckAndMutate> checks) throws IOException {
    return live.writeOnce(
        write(
            table -> table.checkAndMutate(checks),
            both -> {
              List<CheckAndMutateResult> results = new ArrayList<>(checks.size());
              for (CheckAndMutate check : checks) {
                results.add(both.check(check));
              }
              return results;
            }));
  }

  /**
   * As {@link Table#batch}. May be done more than once: {@code one} must leave the actions as they
   * are.
   *
   * @param results null where it is not known whether the action was done
   * @param one how it is done in one table
   */
  public void batch(List<? extends Row> actions, Object[] results, Call<Result> one)
      throws IOException {
    LiveTable.Write<Result> write =
        write(
            one,
            both -> {
              new DualBatch(both, reading(), results).run(actions);
              return Result.EMPTY_RESULT;
            });
    try {
      if (actions.stream().allMatch(action -> action instanceof Get || Timed.isSimple(action))) {
        live.write(
            view -> {
              Arrays.fill(results, null);
              return write.by(view);
            });
      } else {
        live.writeOnce(write);
      }
    } catch (FencedException | OutcomeUnknownException e) {
      // What a try has brought that does not count.
      Arrays.fill(results, null);
      throw e;
    }
  }
}
