/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.RowActions;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.layout.failure.EvenkeyFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/** The calls by which an application makes actions on a table. */
enum WritePath {
  TABLE(Row.class, false) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) {
      return each(actions, action -> RowActions.run(clients.table(), action));
    }
  },
  BATCH(Row.class, true) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) throws Exception {
      Object[] results = new Object[actions.size()];
      try {
        clients.table().batch(actions, results);
      } catch (RetriesExhaustedWithDetailsException e) {
        // Each action that failed has its failure for a result.
      }
      return seen(results);
    }
  },
  LIST_OF_PUTS(Put.class, true) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) throws IOException {
      return ofRows(
          actions, () -> clients.table().put(actions.stream().map(row -> (Put) row).toList()));
    }
  },
  LIST_OF_DELETES(Delete.class, true) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) throws IOException {
      // HBase takes from the list what it has made.
      List<Delete> deletes = new ArrayList<>();
      actions.forEach(row -> deletes.add((Delete) row));
      return ofRows(actions, () -> clients.table().delete(deletes));
    }
  },
  LIST_OF_CHECKS(CheckAndMutate.class, true) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) throws IOException {
      List<CheckAndMutate> checks = actions.stream().map(row -> (CheckAndMutate) row).toList();
      List<Object> results = new ArrayList<>(Collections.nCopies(actions.size(), DONE));
      IOException failed =
          attempt(
              () -> {
                results.clear();
                clients
                    .table()
                    .checkAndMutate(checks)
                    .forEach(r -> results.add(RowActions.seen(r)));
              });
      return failed == null ? results : failures(actions, failed);
    }
  },
  MUTATOR(Mutation.class, true) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) throws IOException {
      return ofRows(
          actions,
          () -> {
            clients.mutator().mutate(actions.stream().map(row -> (Mutation) row).toList());
            clients.mutator().flush();
          });
    }
  },
  ASYNC_TABLE(Row.class, false) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) {
      return each(actions, action -> RowActions.run(clients.async(), action));
    }
  },
  ASYNC_BATCH(Row.class, false) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) {
      return all(clients.async().batch(actions));
    }
  },
  ASYNC_LIST_OF_PUTS(Put.class, false) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) {
      return all(clients.async().put(actions.stream().map(row -> (Put) row).toList()));
    }
  },
  ASYNC_MUTATOR(Mutation.class, false) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) {
      List<CompletableFuture<Void>> futures =
          clients.asyncMutator().mutate(actions.stream().map(row -> (Mutation) row).toList());
      clients.asyncMutator().flush();
      return all(futures);
    }
  },
  SPREAD_TABLE(Row.class, false) {
    @Override
    List<Object> made(Clients clients, List<Row> actions) {
      return each(actions, action -> run(clients.spread(), action));
    }
  };

  private static final Object DONE = "done";

  private final Class<? extends Row> taken;
  private final boolean whole;

  WritePath(Class<? extends Row> taken, boolean whole) {
    this.taken = taken;
    this.whole = whole;
  }

  /** The clients of a table. */
  record Clients(
      Table table,
      BufferedMutator mutator,
      AsyncTable<?> async,
      AsyncBufferedMutator asyncMutator,
      SpreadTable spread)
      implements AutoCloseable {
    /**
     * Opens a table by both connections, which are Evenkey's.
     *
     * @param spread the same table
     */
    static Clients of(Connection connection, AsyncConnection async, SpreadTable spread)
        throws IOException {
      return new Clients(
          connection.getTable(spread.name()),
          connection.getBufferedMutator(spread.name()),
          async.getTable(spread.name()),
          async.getBufferedMutator(spread.name()),
          spread);
    }

    @Override
    public void close() throws IOException {
      asyncMutator.close();
      mutator.close();
      table.close();
    }
  }

  /** One of those that take all of these. */
  static WritePath random(SplittableRandom random, List<Row> actions) {
    List<WritePath> paths = new ArrayList<>(List.of(values()));
    paths.removeIf(path -> !actions.stream().allMatch(path.taken::isInstance));
    return paths.get(random.nextInt(paths.size()));
  }

  /** Checks that an index has refused an action, by name. */
  static void assertRefused(Object answer, String what) {
    assertThat(answer).as(what).isInstanceOf(Throwable.class);
    Throwable thrown = (Throwable) answer;
    boolean isByName = EvenkeyFailure.in(thrown).filter(f -> f.code().equals("index")).isPresent();
    if (!isByName) {
      assertThat(thrown).as(what).hasStackTraceContaining("would mix old and new values");
    }
  }

  /** Whether none of the actions is made if the client sees at once that one is refused. */
  boolean isWhole() {
    return whole;
  }

  /** Whether it gives what an action answers. */
  boolean answers() {
    return this != MUTATOR && this != ASYNC_MUTATOR;
  }

  /**
   * Makes actions.
   *
   * @return what each has answered, as text, or the {@link Throwable} with which it failed
   */
  List<Object> make(Clients clients, List<Row> actions) throws InterruptedException {
    try {
      return made(clients, actions);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return new ArrayList<>(Collections.nCopies(actions.size(), e));
    }
  }

  abstract List<Object> made(Clients clients, List<Row> actions) throws Exception;

  @FunctionalInterface
  interface One {
    Object make(Row action) throws IOException;
  }

  @FunctionalInterface
  interface Call {
    void make() throws IOException;
  }

  static List<Object> each(List<Row> actions, One one) {
    List<Object> results = new ArrayList<>();
    for (Row action : actions) {
      try {
        results.add(one.make(action));
      } catch (IOException | RuntimeException e) {
        results.add(e);
      }
    }
    return results;
  }

  static List<Object> seen(Object[] results) {
    return Arrays.stream(results)
        .map(result -> result instanceof Throwable ? result : RowActions.seen(result))
        .toList();
  }

  static List<Object> all(List<? extends CompletableFuture<?>> futures) {
    List<Object> results = new ArrayList<>();
    for (CompletableFuture<?> future : futures) {
      try {
        results.add(RowActions.seen(Futures.get(future)));
      } catch (IOException | RuntimeException e) {
        results.add(e);
      }
    }
    return results;
  }

  static @Nullable IOException attempt(Call call) {
    try {
      call.make();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  static List<Object> ofRows(List<Row> actions, Call call) {
    IOException failed = attempt(call);
    return failed == null ? Collections.nCopies(actions.size(), DONE) : failures(actions, failed);
  }

  /** A failure that names rows is of these, and any other one of all. */
  static List<Object> failures(List<Row> actions, IOException failed) {
    if (!(failed instanceof RetriesExhaustedWithDetailsException some)) {
      return Collections.nCopies(actions.size(), failed);
    }
    List<Object> results = new ArrayList<>(Collections.nCopies(actions.size(), DONE));
    for (int i = 0; i < some.getNumExceptions(); i++) {
      for (int j = 0; j < actions.size(); j++) {
        if (Arrays.equals(actions.get(j).getRow(), some.getRow(i).getRow())) {
          results.set(j, some.getCause(i));
        }
      }
    }
    return results;
  }

  static Object run(SpreadTable table, Row action) throws IOException {
    if (action instanceof Put put) {
      table.put(put);
    } else if (action instanceof Delete delete) {
      table.delete(delete);
    } else if (action instanceof Increment increment) {
      return RowActions.seen(table.increment(increment));
    } else if (action instanceof Append append) {
      return RowActions.seen(table.append(append));
    } else if (action instanceof RowMutations mutations) {
      return RowActions.seen(table.mutate(mutations));
    } else {
      return RowActions.seen((Object) table.checkAndMutate((CheckAndMutate) action));
    }
    return DONE;
  }
}
