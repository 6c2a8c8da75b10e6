package io.evenkey.jobs.move;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.move.Locks;
import io.evenkey.client.move.ServerClocks;
import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.client.registry.Versioned;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.move.GenerationComparison.Writers;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a table from one generation to the next while it is read and written. Where the move is
 * lies in the registry: whoever goes on with it does the present stage again, and nothing of that
 * is lost or done twice. Only one mover works on a table at a time. Not thread-safe.
 */
public final class Mover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Mover.class);

  /** The mover that died holds its lock until its session ends. */
  private static final Duration LOCKED = Duration.ofSeconds(40);

  private static final long POLL_MS = 20;

  /** So quick is a comparison that nobody minds waiting for. */
  private static final long SHORT_MS = 1_000;

  private static final int MOST_COMPARISONS = 6;

  private final Connection plain;
  private final SpreadTables tables;
  private final Registry registry;
  private final TableName table;
  private final MoveSettings settings;
  private final MoveWatch watch;
  private final Generations generations;
  private final GenerationComparison comparison;
  private final AutoCloseable lock;

  private Move move;

  /** Whether this run has compared all rows: what changed since is enough then. */
  private boolean comparedAll;

  /** Since when, in milliseconds, this run has not looked for unexpected writes; 0 if never. */
  private long checkedFrom;

  private Mover(
      Connection plain,
      SpreadTables tables,
      Registry registry,
      Versioned<Move> stored,
      MoveSettings settings,
      MoveWatch watch,
      AutoCloseable lock)
      throws IOException {
    this.plain = plain;
    this.tables = tables;
    this.registry = registry;
    this.table = stored.value().table();
    this.settings = settings;
    this.watch = watch;
    this.generations = new Generations(plain);
    this.comparison = GenerationComparison.open(plain, generations, settings);
    this.lock = lock;
    this.move = stored.value();
  }

  /**
   * Begins a move: the next generation is there, empty, and nothing else is done yet. Where it has
   * to be cut by a sample of the rows, the source is read for that, once.
   *
   * @param plain a connection to which rows are what is stored
   * @throws MoveException if the table is being moved, or cannot be moved to this layout
   * @throws io.evenkey.layout.split.SplitException if it cannot be cut into as many regions as
   *     asked for
   */
  public static Mover begin(
      Connection plain,
      SpreadTables tables,
      Registry registry,
      MovePlan plan,
      MoveSettings settings,
      MoveWatch watch)
      throws IOException {
    TableName table = plan.table();
    Layout layout = plan.layout();
    Versioned<Move> last = registry.move(table).orElse(null);
    if (last != null && !last.value().stage().isOver()) {
      throw new MoveException(
          "table is being moved already: table="
              + table
              + " stage="
              + last.value().stage()
              + "; go on with it, see evenkey migrate "
              + table
              + " --status, or take it back with --rollback");
    }
    AutoCloseable lock = registry.lockMove(table, LOCKED);
    try {
      TableName source = last == null ? table : last.value().generation();
      Generations generations = new Generations(plain);
      Layout from = generations.layout(source, layout);
      generations.check(source, from, layout);
      if (plan.by() == Move.By.SNAPSHOT) {
        generations.checkFiles(source);
      }
      SplitPlan splits =
          new Cuts(plain, source, new Rekeyed(from, layout)).cut(plan.regions(), watch::progress);
      Move move =
          new Move(
              table,
              source,
              Move.next(table, source),
              Stage.PREPARING,
              plan.goal(),
              last == null ? 1 : last.value().epoch() + 1,
              Move.Work.of(plan.by(), generations.rounds(source)),
              plan.pace(),
              Instant.now().truncatedTo(ChronoUnit.MILLIS));
      // The layout is in the table itself, which is there before anybody needs it.
      generations.create(move, layout, splits);
      registry.record(move.target(), layout.toString());
      int version = registry.store(move, last == null ? Versioned.NONE : last.version());
      Versioned<Move> stored = new Versioned<>(move, version, "", move.since());
      return new Mover(plain, tables, registry, stored, settings, watch, lock);
    } catch (IOException | RuntimeException e) {
      close(lock);
      throw e;
    }
  }

  /**
   * Takes up a move that was begun.
   *
   * @throws MoveException if there is none
   */
  public static Mover resume(
      Connection plain,
      SpreadTables tables,
      Registry registry,
      TableName table,
      MoveSettings settings,
      MoveWatch watch)
      throws IOException {
    AutoCloseable lock = registry.lockMove(table, LOCKED);
    try {
      Versioned<Move> last =
          registry
              .move(table)
              .orElseThrow(() -> new MoveException("table was never moved: table=" + table));
      return new Mover(plain, tables, registry, last, settings, watch, lock);
    } catch (IOException | RuntimeException e) {
      close(lock);
      throw e;
    }
  }

  /** Where the move is. */
  public Move move() {
    return move;
  }

  /**
   * Sets how far the move is to go.
   *
   * @throws MoveException if there is no way to that from where it is
   */
  public void to(Stage goal) throws IOException {
    Stage now = move.stage();
    boolean possible =
        switch (goal) {
          case ROLLED_BACK -> now != Stage.FINISHED && now != Stage.LEAVING;
          case SWITCHED, FINISHED, READY -> !isGoingBack(now);
          default -> false;
        };
    if (!possible) {
      throw new MoveException(
          "no way from here: table=" + table + " stage=" + now + " goal=" + goal + why(now));
    }
    store(move.to(goal));
  }

  private static String why(Stage now) {
    return now == Stage.FINISHED || now == Stage.LEAVING
        ? "; what is written goes to the next generation alone: move it to the old layout"
        : "; it is going back: --resume, then begin anew";
  }

  private static boolean isGoingBack(Stage stage) {
    return stage == Stage.RETURNING || stage == Stage.ABANDONING || stage == Stage.ROLLED_BACK;
  }

  private void store(Move next) throws IOException {
    // Only the pace is changed by others.
    Versioned<Move> now =
        registry.move(table).orElseThrow(() -> new MoveException("move is gone: table=" + table));
    if (now.value().stage() != move.stage() || now.value().epoch() != move.epoch()) {
      throw new MoveException("somebody else is moving the table: table=" + table);
    }
    move = next.with(now.value().pace());
    registry.store(move, now.version());
  }

  /**
   * Goes on to the goal.
   *
   * @return where it is then
   * @throws MoveException if something is in the way; nothing is lost, and nobody kept waiting
   */
  public Move run() throws IOException {
    comparedAll = false;
    watch.stage(move);
    while (step()) {
      watch.stage(move);
    }
    if (move.stage() == Stage.FINISHED) {
      finish();
    } else if (move.stage() == Stage.ROLLED_BACK) {
      generations.rollBack(move);
      new CopyDirectories(settings.work(), move.target()).clear(plain.getConfiguration());
      registry.forget(move.target());
    }
    return move;
  }

  /** Does what the present stage is for; false if there is no more to do. */
  private boolean step() throws IOException {
    boolean back = move.goal() == Stage.ROLLED_BACK;
    switch (move.stage()) {
      case PREPARING -> {
        if (!back) {
          generations.mark(move, generations.layout(move.source(), target()));
        }
        store(move.at(back ? Stage.ROLLED_BACK : Stage.JOINING));
      }
      case JOINING -> {
        if (!back) {
          awaitClients(Stage.PREPARING);
        }
        store(move.at(back ? Stage.ABANDONING : Stage.COPYING));
      }
      case COPYING -> {
        awaitClients(null);
        if (!back) {
          copy();
        }
        store(move.at(back ? Stage.ABANDONING : Stage.VERIFYING));
      }
      case VERIFYING -> {
        awaitClients(null);
        if (!back) {
          verify();
        }
        store(move.at(back ? Stage.ABANDONING : Stage.READY));
      }
      case READY -> {
        if (move.goal() == Stage.READY) {
          return false;
        } else if (!back) {
          verify();
        }
        store(move.at(back ? Stage.ABANDONING : Stage.FENCING));
      }
      case FENCING -> {
        if (!back) {
          awaitClients(Stage.READY);
          lastComparison(move.source(), move.target(), Stage.READY);
        }
        store(move.at(back ? Stage.ABANDONING : Stage.SWITCHING));
      }
      case SWITCHING -> {
        if (back) {
          store(move.at(Stage.ABANDONING));
        } else {
          awaitClients(Stage.READY);
          // The target's servers have to be past what the source's have said.
          awaitClocks();
          long from = ServerClocks.of(plain, List.of(move.source(), move.target())).earliestMs();
          store(move.with(move.work().compared(from, 0)).at(Stage.SWITCHED));
        }
      }
      case SWITCHED -> {
        awaitClients(null);
        breakLocks();
        if (move.goal() == Stage.SWITCHED) {
          return false;
        }
        if (!back) {
          long from = ServerClocks.of(plain, List.of(move.source(), move.target())).earliestMs();
          // All rows: what other clients wrote with old timestamps, at any time, is found here.
          refuseUnexpected(0);
          checkedFrom = from;
        }
        store(move.at(back ? Stage.RETURNING : Stage.LEAVING));
      }
      case LEAVING -> {
        awaitClients(Stage.SWITCHED);
        store(move.at(Stage.FINISHED));
      }
      case RETURNING -> {
        awaitClients(Stage.SWITCHED);
        try {
          // The repair would delete it.
          refuseUnexpected(move.work().comparedFrom());
        } catch (IOException | RuntimeException e) {
          store(move.at(Stage.SWITCHED));
          throw e;
        }
        lastComparison(move.target(), move.source(), Stage.SWITCHED);
        store(move.at(Stage.ABANDONING));
      }
      case ABANDONING -> {
        awaitClients(null);
        awaitClocks();
        store(move.at(Stage.ROLLED_BACK));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private Layout target() throws IOException {
    return tables.generation(move.target()).layout();
  }

  /**
   * Waits until everybody who uses the table acts by the present epoch.
   *
   * @param retreat where to go if somebody does not, so that nobody has to wait; null to stay
   */
  private void awaitClients(@Nullable Stage retreat) throws IOException {
    long until = System.nanoTime() + settings.acknowledged().toNanos();
    long told = System.nanoTime();
    List<LiveClient> missing = registry.behind(move);
    while (!missing.isEmpty()) {
      if (System.nanoTime() - until > 0) {
        String who =
            missing.stream().limit(3).map(LiveClient::where).collect(Collectors.joining(" "));
        if (retreat != null) {
          store(move.at(retreat));
        }
        throw new MoveException(
            "clients do not say that they know: table="
                + table
                + " waited="
                + settings.acknowledged().toSeconds()
                + " s clients="
                + missing.size()
                + " example="
                + who
                + "; stop them, or wait until they are done, then --resume");
      }
      if (System.nanoTime() - told > 0) {
        // They may wait themselves: for a row that a dead one has locked.
        breakLocks(false);
        watch.waiting(missing);
        told += Duration.ofSeconds(1).toNanos();
      }
      pause(POLL_MS);
      missing = registry.behind(move);
    }
  }

  private static void pause(long ms) throws IOException {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while moving a table");
    }
  }

  private void awaitClocks() throws IOException {
    pause(ServerClocks.of(plain, List.of(move.source(), move.target())).spreadMs());
  }

  private void copy() throws IOException {
    Layout to = target();
    Rekeyed rekeyed = new Rekeyed(generations.layout(move.source(), to), to);
    Set<byte[]> families = generations.families(move.source());
    try (Governor governor = Governor.of(plain, registry, move)) {
      int rounds = move.work().rounds().size();
      long rows = move.work().rows();
      for (int round = move.work().copied(); round < rounds; round++) {
        int at = round;
        long before = rows;
        Copy copy = new Copy(plain, rekeyed, move, families, settings.work());
        rows +=
            copy.round(
                round,
                (share, done) -> {
                  watch.progress((at + share) / rounds, before + done);
                  governor.look();
                });
        breakLocks();
        store(move.with(move.work().copied(round + 1, rows)));
      }
      new Copy(plain, rekeyed, move, families, settings.work()).tidy();
    }
  }

  /**
   * Compares all rows, then what changed since, until a comparison is so short that it can be made
   * while clients wait.
   */
  private void verify() throws IOException {
    if (!comparedAll) {
      store(move.with(move.work().compared(0, 0)));
    }
    long took = Long.MAX_VALUE;
    long rows = 0;
    for (int i = 0; i < MOST_COMPARISONS && took > SHORT_MS; i++) {
      breakLocks();
      long begun = System.nanoTime();
      long from = ServerClocks.of(plain, List.of(move.source(), move.target())).earliestMs();
      GenerationComparison.Outcome outcome =
          compare(move.source(), move.target(), Writers.ACTIVE, rows);
      if (!outcome.left().isEmpty()) {
        throw differing(outcome.left(), "");
      }
      rows += outcome.rows();
      store(move.with(move.work().compared(from, 0)));
      comparedAll = true;
      took = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }
  }

  /**
   * Compares what has not been compared yet, and repairs it.
   *
   * @param before how many rows this stage has compared already
   */
  private GenerationComparison.Outcome compare(
      TableName primary, TableName secondary, Writers writers, long before) throws IOException {
    // How many rows changed is not known in advance; of all that were copied they are few.
    boolean all = move.work().comparedFrom() == 0 || before > 0;
    double whole = all ? move.work().rows() : 0;
    LongConsumer progress =
        rows ->
            watch.progress(whole == 0 ? 0 : Math.min(1, (before + rows) / whole), before + rows);
    GenerationComparison.Outcome outcome =
        comparison.repaired(primary, secondary, move.work().comparedFrom(), writers, progress);
    if (outcome.repaired() > 0) {
      store(move.with(move.work().compared(move.work().comparedFrom(), outcome.repaired())));
    }
    return outcome;
  }

  private MoveException differing(List<Difference> left, String when) {
    return new MoveException(
        "rows still differ after they were repaired: table="
            + table
            + " rows="
            + left.size()
            + " example="
            + left.get(0).label()
            + when
            + "; a client writes without Evenkey, or without its registry: stop it, then --resume");
  }

  /** While clients wait: what differs is repaired, and nothing must differ then. */
  private void lastComparison(TableName first, TableName second, Stage retreat) throws IOException {
    try {
      breakLocks();
      compare(first, second, Writers.PAUSED, 0);
      List<Difference> left = compare(first, second, Writers.PAUSED, 0).left();
      if (!left.isEmpty()) {
        throw differing(left, " while clients wait");
      }
    } catch (IOException | RuntimeException e) {
      // Clients must not wait for what an operator has to repair first.
      if (move.stage() != retreat) {
        store(move.at(retreat));
      }
      throw e;
    }
  }

  /**
   * Finds what clients wrote to the source alone since the switch, or with an old timestamp before.
   *
   * @param from looks at rows that changed since then, in milliseconds; 0 for all rows
   * @throws MoveException if there is any
   */
  private void refuseUnexpected(long from) throws IOException {
    List<Difference> unexpected = unexpected(from);
    if (!unexpected.isEmpty()) {
      throw new MoveException(
          "rows were written to the old generation alone: table="
              + table
              + " rows="
              + unexpected.size()
              + " example="
              + unexpected.get(0).label()
              + "; a client writes without Evenkey: stop it, see evenkey verify "
              + move.target()
              + " --against "
              + move.source()
              + ", write these rows again through Evenkey or delete them, then --resume");
    }
  }

  private List<Difference> unexpected(long from) throws IOException {
    long switched = move.work().comparedFrom();
    double whole = from == 0 ? move.work().rows() : 0;
    return comparison.unexpected(
        move.target(),
        move.source(),
        from,
        switched,
        rows -> watch.progress(whole == 0 ? 0 : Math.min(1, rows / whole), rows));
  }

  /**
   * Closes the source for writing, and looks once more for what came into it meanwhile: it is kept
   * there, but not in the table.
   */
  private void finish() throws IOException {
    generations.close(move);
    long from = checkedFrom == 0 ? move.work().comparedFrom() : checkedFrom;
    List<Difference> unexpected = generations.isTidy(move) ? List.of() : unexpected(from);
    generations.finish(move);
    if (!unexpected.isEmpty()) {
      throw new MoveException(
          "rows were written to the old generation while the migration ended: table="
              + table
              + " rows="
              + unexpected.size()
              + " example="
              + unexpected.get(0).label()
              + "; the migration is finished; write again through Evenkey what is wanted of these"
              + " rows: they are in "
              + move.source());
    }
  }

  private void breakLocks() throws IOException {
    breakLocks(move.stage().phase().isFenced());
  }

  /**
   * Rows that clients have left locked are made the same, and unlocked.
   *
   * @param all those of clients that are alive, too: when none of them writes any more
   */
  private void breakLocks(boolean all) throws IOException {
    boolean target = move.stage().phase().readsTarget();
    TableName primary = target ? move.target() : move.source();
    TableName secondary = target ? move.source() : move.target();
    try (Table written = tables.generationTable(secondary)) {
      Locks locks = Locks.of(written);
      List<Locks.Held> held = locks.held();
      if (held.isEmpty()) {
        return;
      }
      Set<String> live =
          registry.clients().stream().map(LiveClient::id).collect(Collectors.toSet());
      for (Locks.Held lock : held) {
        if ((all || !live.contains(lock.holder())) && locks.take(lock)) {
          comparison.repair(primary, secondary, lock.key());
          locks.release(lock);
        }
      }
    }
  }

  @Override
  public void close() {
    close(comparison);
    close(lock);
  }

  private static void close(AutoCloseable closing) {
    try {
      closing.close();
    } catch (Exception e) {
      LOG.warn(
          "Not closed: {}; a lock of a migration is free again when this process ends its session"
              + " with ZooKeeper",
          closing,
          e);
    }
  }

  @Override
  public String toString() {
    return move.toString();
  }
}
