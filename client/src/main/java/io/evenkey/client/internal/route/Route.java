/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.failure.FencedException;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.failure.OutcomeUnknownException;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.row.Attempts;
import io.evenkey.protocol.guard.Refusal;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * Makes the operations of one table in the generation that is in use, and repeats those that region
 * servers refuse because the client's idea of the table is outdated, or because a migration does
 * not allow writes for a moment. An operation that is not refused costs nothing more. Thread-safe.
 */
public final class Route {
  /** An operation of one generation. */
  @FunctionalInterface
  public interface Call<R> {
    /** Makes it. */
    R on(Generation generation) throws IOException;
  }

  /** An operation of one generation, of several requests that end in the operation's time. */
  @FunctionalInterface
  public interface LimitedCall<R> {
    /**
     * Makes it.
     *
     * @param limit of the whole operation, with what was done before
     */
    R on(Generation generation, TimeLimit limit) throws IOException;
  }

  /** An operation of one generation that is answered later. */
  @FunctionalInterface
  public interface Later<R> {
    /** Begins it. */
    CompletableFuture<R> on(Generation generation) throws Exception;
  }

  /** An operation of one generation, or a part of one, that is answered later and has a limit. */
  @FunctionalInterface
  public interface LaterLimited<R> {
    /**
     * Begins it.
     *
     * @param limit of the operation, with what was done before; of a part that of the wait that it
     *     is part of, if an earlier part was refused during it, else none
     */
    CompletableFuture<R> on(Generation generation, TimeLimit limit) throws Exception;
  }

  /** Several actions on one generation, answered later. */
  @FunctionalInterface
  public interface LaterEach<R> {
    /**
     * Begins them.
     *
     * @param limit of all of them, with what was done before
     */
    List<CompletableFuture<R>> on(
        Generation generation, List<? extends Row> actions, TimeLimit limit) throws Exception;
  }

  /** Turns an answer into what the caller gets: usually the stored row under its logical key. */
  @FunctionalInterface
  public interface Answered<R> {
    /** The answer for the caller. */
    R of(Generation used, Row action, R stored);
  }

  private final TableName table;
  private final GenerationFinder finder;
  private final Key key;
  private final Duration patience;
  private final LongSupplier timeoutMs;
  private final int longestPauseMs;
  private final boolean ofRowBytes;

  /** The exception of asynchronous operations that take too long. */
  private final TimeLimit.Late late;

  /** The limit of the single operation that this route is for; null if each has its own. */
  private final @Nullable TimeLimit whole;

  /** The row key that the application uses: that of the generation that was found first. */
  private static final class Key {
    private @Nullable Generation first;

    /** The last generation that was found, which has the key. */
    private volatile @Nullable CompletableFuture<Generation> checked;

    synchronized Generation noteFirst(Generation generation) {
      Generation known = first;
      if (known == null) {
        known = generation;
        first = known;
      }
      return known;
    }
  }

  private Route(
      TableName table,
      GenerationFinder finder,
      Key key,
      Duration patience,
      LongSupplier timeoutMs,
      int longestPauseMs,
      boolean ofRowBytes,
      TimeLimit.Late late,
      @Nullable TimeLimit whole) {
    this.table = table;
    this.finder = finder;
    this.key = key;
    this.patience = patience;
    this.timeoutMs = timeoutMs;
    this.longestPauseMs = longestPauseMs;
    this.ofRowBytes = ofRowBytes;
    this.late = late;
    this.whole = whole;
  }

  /** The route to a table, for operations with the timeout of a configuration. */
  public static Route to(TableName table, GenerationFinder finder, Configuration configuration) {
    long timeoutMs =
        configuration.getLong(
            HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
            HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT);
    return new Route(
        table,
        finder,
        new Key(),
        Repeats.patience(configuration),
        () -> timeoutMs,
        Repeats.LONGEST_MS,
        false,
        TimeLimit.ANSWERED,
        null);
  }

  /**
   * This route for operations with another timeout.
   *
   * @param ms the timeout of an operation that begins now; as in HBase, 0 or less for none
   */
  public Route within(LongSupplier ms) {
    return with(ms, longestPauseMs, ofRowBytes, late, whole);
  }

  private Route with(
      LongSupplier ms,
      int pauseMs,
      boolean named,
      TimeLimit.Late overtime,
      @Nullable TimeLimit rest) {
    return new Route(table, finder, key, patience, ms, pauseMs, named, overtime, rest);
  }

  /** This route for operations that are answered later to callers who wait for them. */
  public Route ofWaitingCallers() {
    return with(timeoutMs, longestPauseMs, ofRowBytes, TimeLimit.THROWN, null);
  }

  /** This route for what is left of one operation, whose caller waits for it. */
  public Route restOf(TimeLimit limit) {
    return with(timeoutMs, longestPauseMs, ofRowBytes, limit.late(), limit);
  }

  /** This route for the parts of one operation that begins now, which share its time. */
  public Route ofOneOperation() {
    return restOf(limitLater());
  }

  /** This route for buffers, which send much when they repeat what was refused. */
  public Route ofBuffers() {
    return with(timeoutMs, Repeats.LONGEST_OF_BUFFER_MS, ofRowBytes, late, whole);
  }

  /** This route for HBase's interfaces, in which an application names rows by their bytes. */
  public Route ofRowBytes() {
    return with(timeoutMs, longestPauseMs, true, late, whole);
  }

  /**
   * Checks that rows which the caller has in bytes are of the table's key.
   *
   * @throws TableLayoutException if they come from an application that names rows by fields only,
   *     and the key was changed: the bytes may have been made before
   */
  public void checkRowBytes(Generation generation) throws TableLayoutException {
    if (ofRowBytes && generation.byFields()) {
      throw new TableLayoutException(
          table,
          "row in bytes, from an application that names rows by fields only; the row key was"
              + " changed by a migration, and the bytes may belong to the old key",
          "key=" + generation.changedKey(),
          "build rows, bounds and filters from these fields, then set evenkey.key."
              + table.getNameAsString()
              + " to this key; or read by fields, as select() and Spark SQL do");
    }
  }

  /** The route to one generation, which is never another. */
  public static Route fixed(Generation generation) {
    CompletableFuture<Generation> found = CompletableFuture.completedFuture(generation);
    GenerationFinder only =
        new GenerationFinder() {
          @Override
          public CompletableFuture<Generation> find(TableName name) {
            return found;
          }

          @Override
          public void outdated(Generation refused, OptionalLong revision) {
            // There is no other.
          }
        };
    return new Route(
        generation.table(),
        only,
        new Key(),
        Duration.ZERO,
        () -> 0,
        Repeats.LONGEST_MS,
        false,
        TimeLimit.ANSWERED,
        null);
  }

  /** The table. */
  public TableName table() {
    return table;
  }

  /**
   * The generation in use. While a migration switches the table, there is none for a moment, which
   * is waited for.
   */
  public Generation now() throws IOException {
    return call(generation -> generation);
  }

  /** The generation in use, found within the time that an operation has left. */
  public Generation now(TimeLimit limit) throws IOException {
    return call(limit, generation -> generation);
  }

  /** The generation in use, without holding the caller's thread; complete if it is known. */
  public CompletableFuture<Generation> find() {
    CompletableFuture<Generation> found = look();
    return found.isDone() && !found.isCompletedExceptionally()
        ? found
        : later(CompletableFuture::completedFuture);
  }

  private Generation known(TimeLimit limit) throws IOException {
    CompletableFuture<Generation> found = look();
    return found.isDone()
        ? Futures.get(found)
        : Futures.get(found, limit.leftMs(), limit::unanswered);
  }

  private CompletableFuture<Generation> look() {
    CompletableFuture<Generation> found = finder.find(table);
    return found == key.checked ? found : checked(found);
  }

  /**
   * Fails if the table has another row key than when this route was first used: keys that the
   * application has, or makes by the layout that it has asked for, mean other rows now.
   */
  private CompletableFuture<Generation> checked(CompletableFuture<Generation> found) {
    CompletableFuture<Generation> result =
        Futures.map(
            found,
            generation -> {
              Generation first = key.noteFirst(generation);
              if (!Objects.equals(first.changedKey(), generation.changedKey())) {
                throw new TableLayoutException(
                    table,
                    "row key of the table was changed while the application used it",
                    "open the table again, and build keys by its new layout");
              }
              return generation;
            });
    if (result.isDone() && !result.isCompletedExceptionally()) {
      key.checked = found;
      return found;
    }
    return result;
  }

  /** Returns the limit of a blocking operation that begins now. */
  public TimeLimit limit() {
    return limit(TimeLimit.THROWN);
  }

  /** Fails the future if it is not complete within the operation's timeout, from now on. */
  public <R> CompletableFuture<R> bounded(CompletableFuture<R> result) {
    TimeLimit limit = limitLater();
    if (limit.isBounded() && !result.isDone()) {
      Futures.bound(result, limit.leftMs(), limit::unanswered);
    }
    return result;
  }

  /**
   * Of a blocking operation, or of one wait of it.
   *
   * @param began when, by {@link System#nanoTime}
   */
  TimeLimit limit(long began) {
    return new TimeLimit(table, began, timeoutMs.getAsLong(), TimeLimit.THROWN);
  }

  private TimeLimit limit(TimeLimit.Late late) {
    return new TimeLimit(table, System.nanoTime(), timeoutMs.getAsLong(), late);
  }

  /** Returns the limit of an asynchronous operation that begins now. */
  private TimeLimit limitLater() {
    TimeLimit known = whole;
    return known == null ? limit(late) : known;
  }

  /** Returns the repeats of an operation with this limit. */
  Repeats repeats(TimeLimit limit) {
    return new Repeats(limit, patience, longestPauseMs);
  }

  /** Makes an operation that may be made twice. */
  public <R> R call(Call<R> call) throws IOException {
    return call(limit(), call);
  }

  /** Makes a part of an operation that may be made twice. */
  private <R> R call(TimeLimit limit, Call<R> call) throws IOException {
    Generation used = null;
    try {
      used = known(limit);
      return call.on(used);
    } catch (IOException e) {
      return again(e, used, limit, (generation, same) -> call.on(generation));
    }
  }

  /**
   * Whether an operation was refused, so that it is to be made again, by a later look at the table.
   *
   * @param attempts counts its attempts if it must not be made twice, else null
   * @throws OutcomeUnknownException if it may have been made, and cannot be repeated
   */
  public boolean isRefused(Throwable failure, Generation used, @Nullable Attempts attempts)
      throws IOException {
    Repeats.checkOnce(table, attempts, failure, used);
    return isRefusal(failure, used);
  }

  /** Whether a failure is the refusal of a request that another look at the table may repair. */
  public static boolean isRefusal(Throwable failure, Generation used) {
    return Repeats.isRefusal(failure, used);
  }

  /**
   * Makes an operation again that has failed, if it was refused.
   *
   * @param first why it has failed
   * @param on the generation that was used; null if none was found
   * @param limit of the whole operation, with what was done before
   * @throws FencedException if it was refused for too long
   * @throws java.net.SocketTimeoutException if that was longer than the operation's timeout
   */
  <R> R again(IOException first, @Nullable Generation on, TimeLimit limit, LimitedCall<R> call)
      throws IOException {
    IOException failure = first;
    Generation used = on;
    Repeats repeats = repeats(limit);
    for (; ; ) {
      used = Futures.get(next(repeats, failure, used));
      try {
        return call.on(used, limit);
      } catch (IOException e) {
        if (!Repeats.isRefusal(e, used)) {
          throw Repeats.thrown(limit.late(e));
        }
        failure = e;
      }
    }
  }

  /**
   * The generation to make a refused operation on again, when that may be done. All operations ask
   * it after each refusal, those that wait and those that are answered later.
   *
   * @param used the generation that was refused; null if none was found
   * @return fails with what the operation fails with, if it is not made again
   */
  private CompletableFuture<Generation> next(
      Repeats repeats, Throwable failure, @Nullable Generation used) {
    return Futures.chain(
        found(repeats, failure, used),
        generation ->
            repeats.isFinal(generation)
                ? CompletableFuture.failedFuture(failure)
                : CompletableFuture.completedFuture(generation));
  }

  /**
   * The generation that is in use after a refusal and a pause: the one loop over lookups, which may
   * be refused too. The refusal may be {@linkplain Repeats#isFinal final} for it.
   */
  private CompletableFuture<Generation> found(
      Repeats repeats, Throwable failure, @Nullable Generation used) {
    long ms;
    try {
      ms = repeats.pauseMs(failure, used, finder);
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Generation> found = new CompletableFuture<>();
    Futures.after(
        ms,
        () ->
            Futures.whenDone(
                inTime(look(), repeats.limit()),
                found,
                (generation, error) -> {
                  if (error == null) {
                    found.complete(generation);
                  } else {
                    Futures.follow(found, found(repeats, bare(error), null));
                  }
                }),
        found::completeExceptionally);
    return found;
  }

  /** The generation, or that it could not be found in time. */
  private static CompletableFuture<Generation> inTime(
      CompletableFuture<Generation> found, TimeLimit limit) {
    if (found.isDone() || !limit.isBounded()) {
      return found;
    }
    CompletableFuture<Generation> bounded = Futures.map(found, generation -> generation);
    Futures.bound(bounded, limit.leftMs(), limit::unanswered);
    return bounded;
  }

  /** Makes an operation that may be made twice, without holding the caller's thread. */
  public <R> CompletableFuture<R> later(Later<R> call) {
    return laterOnce(null, (generation, limit) -> call.on(generation));
  }

  private <R> CompletableFuture<R> laterOnce(@Nullable Attempts attempts, LaterLimited<R> call) {
    return later(new State<>(attempts, call, null, (used, stored) -> stored));
  }

  /**
   * Makes an action, without holding the caller's thread.
   *
   * @param attempts counts its attempts if it must not be made twice, else null; it fails with an
   *     {@link OutcomeUnknownException} if it may have been made, and cannot be repeated
   */
  public <R> CompletableFuture<R> laterOnce(
      Row action, @Nullable Attempts attempts, LaterLimited<R> call, Answered<R> answered) {
    return later(
        new State<>(attempts, call, null, (used, stored) -> answered.of(used, action, stored)));
  }

  /**
   * Makes an operation that may take longer than its timeout, as scans do: that is for each time
   * that it waits.
   *
   * @param waitingSince when it began to wait, by {@link System#nanoTime}
   */
  public <R> CompletableFuture<R> laterInParts(LongSupplier waitingSince, LaterLimited<R> call) {
    return later(new State<>(null, call, waitingSince, (used, stored) -> stored));
  }

  private <R> CompletableFuture<R> later(State<R> state) {
    CompletableFuture<Generation> found = look();
    if (found.isDone() && !found.isCompletedExceptionally()) {
      Generation used = found.join();
      follow(begin(state, used), used, state);
    } else {
      attempt(inTime(found, state.limit), state);
    }
    return state.result;
  }

  // What HBase throws at once, as it does for a mistake in the arguments, is thrown at once.
  private static <R> CompletableFuture<R> begin(State<R> state, Generation generation) {
    try {
      return state.begin(generation);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * An asynchronous operation that goes on until it is answered. Where it does so in other threads,
   * it is traced as part of what the caller did when it began.
   */
  private final class State<R> {
    private final @Nullable Attempts attempts;
    private final LaterLimited<R> call;
    private final BiFunction<Generation, R, R> answered;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final Context trace = Context.current();

    /** Null of an operation that is bounded as a whole. */
    private final @Nullable LongSupplier waitingSince;

    private TimeLimit limit = limitLater();
    private @Nullable Repeats repeats;
    private boolean isBound;

    State(
        @Nullable Attempts attempts,
        LaterLimited<R> call,
        @Nullable LongSupplier waitingSince,
        BiFunction<Generation, R, R> answered) {
      this.attempts = attempts;
      this.call = call;
      this.waitingSince = waitingSince;
      this.answered = answered;
    }

    CompletableFuture<R> begin(Generation generation) throws Exception {
      boolean bounded = waitingSince == null || repeats != null;
      return call.on(generation, bounded ? limit : TimeLimit.none(table));
    }

    Repeats repeats() {
      Repeats known = repeats;
      if (known == null) {
        known = Route.this.repeats(limit);
        repeats = known;
      }
      return known;
    }

    /** Another attempt has been refused. */
    void refused() {
      if (waitingSince == null) {
        bound();
        return;
      }
      long since = waitingSince.getAsLong();
      if (since - limit.began() > 0) {
        limit = new TimeLimit(table, since, timeoutMs.getAsLong(), late);
        repeats = null;
      }
    }

    /** A failure; when the time is over, of what was repeated or is waited for, that it is. */
    Throwable late(Throwable failure) {
      boolean isCutShort = late == TimeLimit.THROWN || repeats != null;
      return isCutShort && waitingSince == null ? limit.late(failure) : failure;
    }

    /** Bounds waits that HBase does not bound, from now on. */
    private void bound() {
      if (!isBound && limit.isBounded()) {
        isBound = true;
        Futures.bound(result, limit.leftMs(), limit::unanswered);
      }
    }
  }

  /** Goes on with the generation that is found. */
  private <R> void attempt(CompletableFuture<Generation> found, State<R> state) {
    Futures.whenDone(
        found,
        state.result,
        (generation, error) -> {
          if (error == null) {
            state.trace.wrap(() -> begin(generation, state)).run();
          } else {
            repeat(bare(error), null, state);
          }
        });
  }

  private <R> void begin(Generation generation, State<R> state) {
    if (state.result.isDone()) {
      // In vain: the caller has waited for long enough.
      return;
    }
    try {
      follow(state.begin(generation), generation, state);
    } catch (Throwable e) {
      repeat(e, generation, state);
    }
  }

  private <R> void follow(CompletableFuture<R> begun, Generation used, State<R> state) {
    Futures.whenDone(
        begun,
        state.result,
        (value, error) -> {
          if (error == null) {
            state.result.complete(state.answered.apply(used, value));
          } else {
            repeat(bare(error), used, state);
          }
        });
  }

  private <R> void repeat(Throwable failure, @Nullable Generation used, State<R> state) {
    if (!Repeats.isRefusal(failure, used)) {
      // Of whichever class it is: it may be what an observer of a scan has thrown.
      state.result.completeExceptionally(state.late(failure));
      return;
    }
    try {
      state.refused();
      Repeats.checkOnce(table, state.attempts, failure, used);
    } catch (Throwable e) {
      state.result.completeExceptionally(e);
      return;
    }
    Futures.whenDone(
        next(state.repeats(), failure, used),
        state.result,
        (generation, error) -> {
          if (error == null) {
            state.trace.wrap(() -> begin(generation, state)).run();
          } else {
            state.result.completeExceptionally(bare(error));
          }
        });
  }

  static Throwable bare(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /**
   * Makes several actions, each answered by itself, without holding the caller's thread. Those that
   * are refused are made again together, when all are answered.
   */
  public <R> List<CompletableFuture<R>> laterEach(
      List<? extends Row> actions, LaterEach<R> call, Answered<R> answered) {
    Group<R> group = new Group<>(actions, call, answered);
    Futures.onFailure(later(group.state), group::fail);
    return new ArrayList<>(group.results);
  }

  /** Several actions that go on until each of them is answered. */
  private final class Group<R> {
    private final List<? extends Row> actions;
    private final LaterEach<R> call;
    private final Answered<R> answered;
    private final List<Attempts.Counted> counted;
    private final List<CompletableFuture<R>> results;
    private final State<Boolean> state =
        new State<>(null, this::begin, null, (used, answered) -> answered);

    /** The places of the actions that are not answered yet. */
    private int[] open;

    /** Why those were refused, if they were. */
    private List<Throwable> refusals = List.of();

    Group(List<? extends Row> actions, LaterEach<R> call, Answered<R> answered) {
      this.actions = actions;
      this.call = call;
      this.answered = answered;
      this.counted = new ArrayList<>(actions.size());
      this.results = new ArrayList<>(actions.size());
      this.open = IntStream.range(0, actions.size()).toArray();
      for (Row action : actions) {
        results.add(new CompletableFuture<>());
        counted.add(counted(action));
      }
    }

    private CompletableFuture<Boolean> begin(Generation used, TimeLimit limit) throws Exception {
      int[] places = open;
      List<Row> actions = new ArrayList<>(places.length);
      for (int place : places) {
        actions.add(counted.get(place).action());
      }
      List<CompletableFuture<R>> begun = call.on(used, actions, limit);
      @Nullable Throwable[] refused = new Throwable[places.length];
      AtomicInteger left = new AtomicInteger(places.length);
      CompletableFuture<Boolean> answered = new CompletableFuture<>();
      if (places.length == 0) {
        answered.complete(true);
      }
      for (int i = 0; i < refused.length; i++) {
        int at = i;
        Futures.whenDone(
            begun.get(i),
            answered,
            (value, error) -> {
              if (error == null) {
                answer(places[at], used, value);
              } else {
                refused[at] = refusal(places[at], bare(error), used);
              }
              if (left.decrementAndGet() == 0) {
                end(places, refused, answered);
              }
            });
      }
      return answered;
    }

    private void answer(int place, Generation used, R stored) {
      CompletableFuture<R> result = results.get(place);
      try {
        result.complete(answered.of(used, actions.get(place), stored));
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    }

    /** The failure if it is a refusal; null if it is the action's answer. */
    private @Nullable Throwable refusal(int place, Throwable failure, Generation used) {
      Throwable answer;
      try {
        if (isRefused(failure, used, counted.get(place).attempts())) {
          return failure;
        }
        answer = state.late(failure);
      } catch (IOException unknown) {
        answer = unknown;
      }
      results.get(place).completeExceptionally(answer);
      return null;
    }

    private void end(
        int[] places, @Nullable Throwable[] refused, CompletableFuture<Boolean> answered) {
      int[] again = new int[places.length];
      List<Throwable> why = new ArrayList<>();
      Throwable worst = null;
      for (int i = 0; i < refused.length; i++) {
        Throwable refusal = refused[i];
        if (refusal != null) {
          again[why.size()] = places[i];
          why.add(refusal);
          worst = worst == null || rank(refusal) > rank(worst) ? refusal : worst;
        }
      }
      open = Arrays.copyOf(again, why.size());
      refusals = why;
      if (worst == null) {
        answered.complete(true);
      } else {
        answered.completeExceptionally(worst);
      }
    }

    /** Answers what is open: each with its own refusal, if they are not repeated any more. */
    private void fail(Throwable failure) {
      int[] left = open;
      List<Throwable> why = refusals;
      boolean isFinal = why.contains(failure);
      for (int i = 0; i < left.length; i++) {
        results.get(left[i]).completeExceptionally(isFinal ? why.get(i) : failure);
      }
    }
  }

  private static Attempts.Counted counted(Row action) {
    try {
      return Attempts.of(action);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  // What servers have refused goes first: the client's own refusals may end with it. Then what may
  // be refused for longer than a moment.
  private static int rank(Throwable refused) {
    if (refused instanceof IndexRefusedException) {
      return 0;
    }
    Refusal refusal = Refusal.of(refused).orElse(null);
    return refusal == Refusal.FENCED || refusal == Refusal.CHANGED ? 1 : 2;
  }
}
