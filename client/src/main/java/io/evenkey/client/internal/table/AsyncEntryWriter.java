/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.TimeLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/**
 * Writes the entries of rows before the rows: a row is written when the servers have acknowledged
 * all its entries. The entries of all indexes go out at once. Costs one check for null on a table
 * without indexes. Thread-safe.
 */
final class AsyncEntryWriter {
  private final AsyncEntryTables tables;
  private final PlannedWrites.Planner planner;

  /** The tables for requests that have the whole time of their operation. */
  private final Map<TableName, AsyncTable<?>> opened;

  /** Writes the entries of a table's rows. */
  AsyncEntryWriter(AsyncEntryTables tables) {
    this(tables, PlannedWrites::of, new ConcurrentHashMap<>());
  }

  private AsyncEntryWriter(
      AsyncEntryTables tables,
      PlannedWrites.Planner planner,
      Map<TableName, AsyncTable<?>> opened) {
    this.tables = tables;
    this.planner = planner;
    this.opened = opened;
  }

  /** A writer for actions some of which are planned already. */
  AsyncEntryWriter with(PlannedWrites.Planner known) {
    return new AsyncEntryWriter(tables, known, opened);
  }

  /** Reads rows of the indexed table, in the generation that is written, by logical keys. */
  @FunctionalInterface
  interface Reads {
    /** The results in the order of the reads. */
    List<CompletableFuture<Result>> read(Generation generation, List<Get> gets) throws Exception;
  }

  /** An action on one generation. */
  @FunctionalInterface
  interface One<R> {
    CompletableFuture<R> begin(Generation generation, Row action) throws Exception;
  }

  /** Makes an action when its entries are written. */
  <R> CompletableFuture<R> before(
      Generation generation, TimeLimit limit, Row action, Reads reads, One<R> call)
      throws Exception {
    IndexWrites indexes = generation.rows().indexes();
    if (indexes == null) {
      return call.begin(generation, action);
    }
    PlannedWrites planned = planner.plan(indexes, List.of(action));
    planned.check();
    return Futures.chain(
        read(generation, planned, reads),
        writes ->
            Futures.chain(
                write(writes, limit).get(0),
                written -> call.begin(generation.afterEntries(), writes.get(0).write().action())));
  }

  /** Several actions of one kind on one generation. */
  @FunctionalInterface
  interface Each<A, R> {
    List<CompletableFuture<R>> begin(Generation generation, List<A> actions) throws Exception;
  }

  /**
   * Makes actions when the entries of all of them are answered: those whose own entries are
   * written. The others fail as their entries did, or because they cannot be made.
   */
  <A extends Row, R> List<CompletableFuture<R>> before(
      Generation generation, TimeLimit limit, List<A> actions, Reads reads, Each<A, R> call)
      throws Exception {
    IndexWrites indexes = generation.rows().indexes();
    if (indexes == null) {
      return call.begin(generation, actions);
    }
    List<CompletableFuture<R>> results = new ArrayList<>(actions.size());
    actions.forEach(action -> results.add(new CompletableFuture<>()));
    Futures.whenDone(
        read(generation, planner.plan(indexes, actions), reads),
        (writes, error) -> {
          if (error != null) {
            fail(results, error);
          } else {
            write(generation, limit, writes, results, call);
          }
        },
        failure -> fail(results, failure));
    return results;
  }

  private static <R> void fail(List<CompletableFuture<R>> results, Throwable failure) {
    results.forEach(result -> result.completeExceptionally(failure));
  }

  /** The actions with all their entries; at once if no row has to be read before. */
  private static CompletableFuture<List<PlannedWrite>> read(
      Generation generation, PlannedWrites planned, Reads reads) throws Exception {
    List<Get> gets = planned.gets();
    if (gets.isEmpty()) {
      return CompletableFuture.completedFuture(planned.list());
    }
    List<CompletableFuture<Object>> answers = new ArrayList<>(gets.size());
    for (CompletableFuture<Result> read : reads.read(generation, gets)) {
      answers.add(
          Futures.next(
              read,
              (row, error) -> CompletableFuture.completedFuture(error == null ? row : error)));
    }
    return Futures.map(Futures.all(answers), planned::after);
  }

  @SuppressWarnings("unchecked") // a copy is of the same type
  private <A extends Row, R> void write(
      Generation generation,
      TimeLimit limit,
      List<PlannedWrite> writes,
      List<CompletableFuture<R>> results,
      Each<A, R> call) {
    List<CompletableFuture<Void>> written = write(writes, limit);
    List<A> actions = writes.stream().map(one -> (A) one.write().action()).toList();
    Futures.whenDone(
        CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)),
        (all, error) -> begin(generation.afterEntries(), actions, written, results, call),
        failure -> fail(results, failure));
  }

  private static <A, R> void begin(
      Generation generation,
      List<A> actions,
      List<CompletableFuture<Void>> written,
      List<CompletableFuture<R>> results,
      Each<A, R> call) {
    List<A> ready = new ArrayList<>(actions.size());
    List<CompletableFuture<R>> waiting = new ArrayList<>(actions.size());
    for (int i = 0; i < actions.size(); i++) {
      CompletableFuture<R> result = results.get(i);
      if (written.get(i).isCompletedExceptionally()) {
        Futures.onFailure(written.get(i), result::completeExceptionally);
      } else {
        ready.add(actions.get(i));
        waiting.add(result);
      }
    }
    if (ready.isEmpty()) {
      return;
    }
    try {
      List<CompletableFuture<R>> begun = call.begin(generation, ready);
      for (int i = 0; i < begun.size(); i++) {
        Futures.follow(waiting.get(i), begun.get(i));
      }
    } catch (Throwable e) {
      fail(waiting, e);
    }
  }

  /** For each action, whether it can be made, and all its entries are written. */
  private List<CompletableFuture<Void>> write(List<PlannedWrite> writes, TimeLimit limit) {
    List<List<CompletableFuture<?>>> begun = new ArrayList<>(writes.size());
    for (PlannedWrite each : writes) {
      List<CompletableFuture<?>> entries = new ArrayList<>(each.write().entries().size() + 1);
      if (each.failure() != null) {
        entries.add(CompletableFuture.failedFuture(each.failure()));
      }
      begun.add(entries);
    }
    for (IndexPuts of : IndexPuts.of(writes)) {
      List<CompletableFuture<Void>> answers = put(of.index(), of.puts(), limit);
      for (int i = 0; i < answers.size(); i++) {
        begun.get(of.actions().get(i)).add(named(of.index(), answers.get(i)));
      }
    }
    return begun.stream()
        .map(each -> CompletableFuture.allOf(each.toArray(CompletableFuture[]::new)))
        .toList();
  }

  private AsyncTable<?> open(TableName index, TimeLimit limit) throws IOException {
    if (!limit.isWhole()) {
      return tables.open(index, limit);
    }
    AsyncTable<?> known = opened.get(index);
    if (known == null) {
      known = tables.open(index, TimeLimit.none(index));
      opened.put(index, known);
    }
    return known;
  }

  private List<CompletableFuture<Void>> put(TableName index, List<Put> puts, TimeLimit limit) {
    try {
      AsyncTable<?> table = open(index, limit);
      return puts.size() == 1 ? List.of(table.put(puts.get(0))) : table.put(puts);
    } catch (IOException e) {
      return Collections.nCopies(puts.size(), CompletableFuture.failedFuture(e));
    } catch (IllegalArgumentException e) {
      // As of HBase's client, which cannot find the region of a row of nearly the longest length:
      // it does not say which one it is.
      return puts.size() == 1
          ? List.of(CompletableFuture.failedFuture(e))
          : puts.stream().map(one -> put(index, List.of(one), limit).get(0)).toList();
    }
  }

  private static CompletableFuture<Void> named(TableName index, CompletableFuture<Void> answer) {
    return Futures.next(
        answer,
        (nothing, error) ->
            error == null
                ? answer
                : CompletableFuture.failedFuture(IndexRefusedException.entryFailed(index, error)));
  }
}
