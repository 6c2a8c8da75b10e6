package io.evenkey.jobs.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.client.registry.Versioned;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates a table from one generation to the next while it is read and written. Where the
 * migration is lies in the registry: a run that goes on with it does the present stage again, and
 * nothing of that is lost or done twice.
 *
 * <p>What clients may do is not up to them: the guard of the region servers allows or refuses it,
 * or, where there is none and the plan accepts a pause, a generation that is left has no name any
 * more. See {@link Move.Fence}. Not thread-safe.
 */
public final class Mover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Mover.class);

  /** The run that died holds its lock until its session ends. */
  private static final Duration LOCKED = Duration.ofSeconds(40);

  private final MoveRecord record;
  private final Protocol protocol;
  private final MoveWatch watch;
  private final AutoCloseable lock;

  private Mover(MoveRecord record, Protocol protocol, MoveWatch watch, AutoCloseable lock) {
    this.record = record;
    this.protocol = protocol;
    this.watch = watch;
    this.lock = lock;
  }

  /**
   * Begins a migration: the next generation is there, empty, and nothing else is done yet. Where it
   * has to be cut by a sample of the rows, the source is read for that, once.
   *
   * @param plain a connection to which rows are what is stored
   * @throws MoveException if the table is being migrated, cannot be migrated to this layout, or
   *     regions of it have no guard and the plan does not accept a pause
   * @throws io.evenkey.layout.split.SplitException if it cannot be cut into as many regions as
   *     asked for
   */
  public static Mover begin(
      Connection plain, Registry registry, MovePlan plan, MoveSettings settings, MoveWatch watch)
      throws IOException {
    return begin(
        plain,
        registry,
        plan.table(),
        settings,
        watch,
        (guard, last) -> new Beginning(plain, registry, guard).of(plan, last, watch));
  }

  /**
   * Begins a renaming: a migration to the table's own name, by the same layout. The next generation
   * is a clone, for which HBase copies no data; afterwards the present one is dropped.
   *
   * @param plain a connection to which rows are what is stored
   * @throws MoveException if the table is being migrated, or has its own name, or regions of it
   *     have no guard
   */
  public static Mover rename(
      Connection plain, Registry registry, TableName table, MoveSettings settings, MoveWatch watch)
      throws IOException {
    return begin(
        plain,
        registry,
        table,
        settings,
        watch,
        (guard, last) -> new Beginning(plain, registry, guard).ofRenaming(table, last));
  }

  /** What a migration begins with. */
  @FunctionalInterface
  private interface First {
    Move move(GuardControl guard, @Nullable Move last) throws IOException;
  }

  private static Mover begin(
      Connection plain,
      Registry registry,
      TableName table,
      MoveSettings settings,
      MoveWatch watch,
      First first)
      throws IOException {
    Versioned<Move> last = registry.move(table).orElse(null);
    if (last != null && !last.value().stage().isOver()) {
      throw new MoveException(
          "table is being migrated already: table="
              + table
              + " stage="
              + last.value().stage()
              + "; go on with it, see evenkey migrate "
              + table
              + " --status, or take it back with --rollback");
    }
    AutoCloseable lock = registry.lockMove(table, LOCKED);
    try {
      Move move;
      try (GuardControl guard = GuardControl.open(plain)) {
        move = first.move(guard, last == null ? null : last.value());
      }
      registry.store(move, last == null ? Versioned.NONE : last.version());
      return open(plain, registry, move, settings, watch, lock);
    } catch (IOException | RuntimeException e) {
      close(lock);
      throw e;
    }
  }

  /**
   * Takes up a migration that was begun.
   *
   * @throws MoveException if there is none
   */
  public static Mover resume(
      Connection plain, Registry registry, TableName table, MoveSettings settings, MoveWatch watch)
      throws IOException {
    AutoCloseable lock = registry.lockMove(table, LOCKED);
    Mover mover = null;
    try {
      Versioned<Move> last =
          registry
              .move(table)
              .orElseThrow(() -> new MoveException("table was never migrated: table=" + table));
      Move move = last.value();
      if (!move.stage().isOver()) {
        move = move.nextTurn();
        registry.store(move, last.version());
      }
      mover = open(plain, registry, move, settings, watch, lock);
      mover.protocol.claim();
      return mover;
    } catch (IOException | RuntimeException e) {
      close(mover == null ? lock : mover);
      throw e;
    }
  }

  private static Mover open(
      Connection plain,
      Registry registry,
      Move move,
      MoveSettings settings,
      MoveWatch watch,
      AutoCloseable lock)
      throws IOException {
    MoveRecord record = new MoveRecord(registry, move);
    Protocol protocol =
        switch (move.fence()) {
          case GUARD -> GuardProtocol.open(plain, registry, record, settings, watch);
          case NAMES -> NameProtocol.open(plain, registry, record, settings, watch);
        };
    return new Mover(record, protocol, watch, lock);
  }

  /** Where the migration is. */
  public Move move() {
    return record.move();
  }

  /**
   * Sets how far the migration is to go.
   *
   * @throws MoveException if there is no way to that from where it is
   */
  public void to(Stage goal) throws IOException {
    Stage now = move().stage();
    boolean possible =
        switch (goal) {
          case ROLLED_BACK -> now != Stage.FINISHED;
          case SWITCHED, FINISHED, READY -> !move().isGoingBack();
          default -> false;
        };
    if (!possible) {
      throw new MoveException(
          "no way from here: table="
              + move().table()
              + " stage="
              + now
              + " goal="
              + goal
              + why(now));
    }
    protocol.to(goal);
  }

  private static String why(Stage now) {
    return now == Stage.FINISHED
        ? "; what is written goes to the next generation alone: migrate it to the old layout"
        : "; it is going back: --resume, then begin again";
  }

  /**
   * Goes on to the goal.
   *
   * @return where it is then
   * @throws MoveException if something is in the way; nothing is lost, and clients can read and
   *     write
   */
  public Move run() throws IOException {
    watch.stage(move());
    while (protocol.step()) {
      watch.stage(move());
    }
    protocol.tidy();
    return move();
  }

  @Override
  public void close() {
    close(protocol);
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
    return move().toString();
  }
}
