package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Writes of an asynchronous table: while one generation is written, calls are handed on and counted
 * until they are answered; while both are, or nobody may write, they are made synchronously in
 * threads of their own. Thread-safe.
 */
public final class AsyncWrites {
  /** Where the synchronous table comes from; opened when it is first needed. */
  @FunctionalInterface
  public interface Synchronous {
    /** A table whose moves are followed, closed by who asked for it. */
    Table open() throws IOException;
  }

  /** A write that is answered later. */
  @FunctionalInterface
  public interface Later<R> {
    /** Begins it. */
    R on(View view) throws Exception;
  }

  private final Synchronous synchronous;

  /** Writes. */
  public AsyncWrites(Synchronous synchronous) {
    this.synchronous = synchronous;
  }

  /**
   * One write.
   *
   * @param value what the caller gets for the result that HBase has for the action
   */
  public <R> CompletableFuture<R> one(
      LiveTable live,
      Row action,
      Later<CompletableFuture<R>> later,
      Function<@Nullable Object, R> value)
      throws Exception {
    View view = live.tryBegin();
    return view == null
        ? inThread(List.of(action), value).get(0)
        : counted(live, view, List.of(begin(view, later))).get(0);
  }

  /**
   * Several writes, each answered by itself.
   *
   * @param value what the caller gets for the result that HBase has for an action
   */
  public <R> List<CompletableFuture<R>> several(
      LiveTable live,
      List<? extends Row> actions,
      Later<List<CompletableFuture<R>>> later,
      Function<@Nullable Object, R> value) {
    View view = live.tryBegin();
    if (view == null) {
      return inThread(actions, value);
    }
    try {
      return counted(live, view, begin(view, later));
    } catch (RuntimeException e) {
      // What HBase throws at once, as it does for a mistake in the arguments.
      throw e;
    } catch (Exception e) {
      return Collections.nCopies(actions.size(), CompletableFuture.failedFuture(e));
    }
  }

  private static <R> R begin(View view, Later<R> later) throws Exception {
    boolean begun = false;
    try {
      R result = later.on(view);
      begun = true;
      return result;
    } finally {
      if (!begun) {
        view.leave();
      }
    }
  }

  private static <R> List<CompletableFuture<R>> counted(
      LiveTable live, View view, List<CompletableFuture<R>> futures) {
    long session = live.session();
    List<CompletableFuture<R>> counted = new ArrayList<>(futures.size());
    for (int i = 1; i < futures.size(); i++) {
      // All of them are under way.
      view.enter();
    }
    if (futures.isEmpty()) {
      view.leave();
    }
    for (CompletableFuture<R> future : futures) {
      CompletableFuture<R> told = new CompletableFuture<>();
      FutureUtils.addListener(
          future, (value, error) -> end(live, view, session, told, value, error));
      counted.add(told);
    }
    return counted;
  }

  // Not waited for a lease in HBase's threads.
  private static <R> void end(
      LiveTable live,
      View view,
      long session,
      CompletableFuture<R> told,
      R value,
      Throwable error) {
    Runnable end =
        () -> {
          try {
            live.end(view, session);
            if (error == null) {
              told.complete(value);
            } else {
              told.completeExceptionally(error);
            }
          } catch (IOException | RuntimeException e) {
            told.completeExceptionally(error == null ? e : error);
          }
        };
    if (live.isLeased()) {
      end.run();
    } else {
      LiveTable.THREADS.execute(end);
    }
  }

  private <R> List<CompletableFuture<R>> inThread(
      List<? extends Row> actions, Function<@Nullable Object, R> value) {
    List<Row> asked = List.copyOf(actions);
    List<CompletableFuture<R>> each = new ArrayList<>(asked.size());
    asked.forEach(action -> each.add(new CompletableFuture<>()));
    LiveTable.THREADS.execute(
        () -> {
          @Nullable Object[] results = new Object[asked.size()];
          try (Table table = synchronous.open()) {
            results = Outcomes.of(table, asked);
          } catch (Exception e) {
            Arrays.fill(results, e);
          }
          for (int i = 0; i < results.length; i++) {
            if (results[i] instanceof Throwable failed) {
              each.get(i).completeExceptionally(failed);
            } else {
              each.get(i).complete(value.apply(results[i]));
            }
          }
        });
    return each;
  }
}
