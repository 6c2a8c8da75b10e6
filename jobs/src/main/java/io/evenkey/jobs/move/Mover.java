package io.evenkey.jobs.move;

import io.evenkey.client.TableLayout;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.client.registry.Versioned;
import io.evenkey.jobs.move.GenerationComparison.Side;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardMode;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
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
 * see {@link io.evenkey.layout.guard.GuardMode}. Each run has a number, its turn: the guard refuses
 * what an earlier run or its map tasks send late. Not thread-safe.
 */
public final class Mover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Mover.class);

  /** The run that died holds its lock until its session ends. */
  private static final Duration LOCKED = Duration.ofSeconds(40);

  private final Connection plain;
  private final Registry registry;
  private final TableName table;
  private final MoveSettings settings;
  private final MoveWatch watch;
  private final Generations generations;
  private final GuardControl guard;
  private final GenerationComparison comparison;
  private final MoveRecord record;
  private final Passes passes;
  private final WritePause pause;
  private final AutoCloseable lock;

  /** How long writes will pause, by the last pass. */
  private Duration expectedPause = Duration.ZERO;

  private Mover(
      Connection plain,
      Registry registry,
      Move move,
      MoveSettings settings,
      MoveWatch watch,
      GuardControl guard,
      AutoCloseable lock)
      throws IOException {
    this.plain = plain;
    this.registry = registry;
    this.table = move.table();
    this.settings = settings;
    this.watch = watch;
    this.generations = new Generations(plain);
    this.guard = guard;
    this.comparison = GenerationComparison.open(plain, settings);
    this.record = new MoveRecord(registry, move);
    this.passes = new Passes(record, guard, comparison, watch);
    this.pause = new WritePause(record, guard, passes, watch);
    this.lock = lock;
  }

  /**
   * Begins a migration: the next generation is there, empty and closed to clients, and nothing else
   * is done yet. Where it has to be cut by a sample of the rows, the source is read for that, once.
   *
   * @param plain a connection to which rows are what is stored
   * @throws MoveException if the table is being migrated, cannot be migrated to this layout, or
   *     regions of it have no guard
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
   * @throws MoveException if the table is being migrated, or has its own name
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
    GuardControl guard = null;
    try {
      guard = GuardControl.open(plain);
      Move move = first.move(guard, last == null ? null : last.value());
      registry.store(move, last == null ? Versioned.NONE : last.version());
      return new Mover(plain, registry, move, settings, watch, guard, lock);
    } catch (IOException | RuntimeException e) {
      close(guard);
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
    GuardControl guard = null;
    try {
      guard = GuardControl.open(plain);
      Versioned<Move> last =
          registry
              .move(table)
              .orElseThrow(() -> new MoveException("table was never migrated: table=" + table));
      Move move = last.value();
      if (!move.stage().isOver()) {
        move = move.nextTurn();
        registry.store(move, last.version());
      }
      Mover mover = new Mover(plain, registry, move, settings, watch, guard, lock);
      mover.claim();
      return mover;
    } catch (IOException | RuntimeException e) {
      close(guard);
      close(lock);
      throw e;
    }
  }

  /**
   * Sets what the stage says for both generations: what the run before still sends is refused from
   * then on. What it has set itself since the stage was stored does not count.
   */
  private void claim() throws IOException {
    Stage stage = move().stage();
    if (stage.isOver()) {
      return;
    }
    switch (stage) {
      case PREPARING -> {
        closeTarget();
        claim(move().source(), GuardMode.OPEN);
      }
      case COPYING, VERIFYING, READY, FENCING -> {
        closeTarget();
        claim(move().source(), GuardMode.TRACKED);
      }
      case CLOSING -> {
        claim(move().source(), GuardMode.CLOSED);
        claim(move().target(), GuardMode.READ_ONLY);
      }
      case SWITCHING, SWITCHED, RETURNING -> {
        claim(move().source(), GuardMode.CLOSED);
        claim(move().target(), GuardMode.TRACKED);
      }
      case ABANDONING -> {
        closeTarget();
        claim(move().source(), GuardMode.OPEN);
      }
      default -> throw new IllegalStateException("stage is over: " + stage);
    }
  }

  // It is not there while a table is renamed, or after a rollback has dropped it. An open one that
  // has the table's own name was created by an application meanwhile.
  private void closeTarget() throws IOException {
    if (generations.exists(move().target())
        && (!move().isRenaming() || guard.state(move().target()).mode() == GuardMode.CLOSED)) {
      claim(move().target(), GuardMode.CLOSED);
    }
  }

  // A later pass: what has a mark of an earlier one, or of one that the run before had begun, is
  // still to be compared.
  private GuardControl.Acknowledged claim(TableName generation, GuardMode mode) throws IOException {
    return guard.claim(generation, record.turn(), mode, other(generation));
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
          case SWITCHED, FINISHED, READY -> !isGoingBack(now);
          default -> false;
        };
    if (!possible) {
      throw new MoveException(
          "no way from here: table=" + table + " stage=" + now + " goal=" + goal + why(now));
    }
    record.store(move().to(goal));
  }

  private static String why(Stage now) {
    return now == Stage.FINISHED
        ? "; what is written goes to the next generation alone: migrate it to the old layout"
        : "; it is going back: --resume, then begin again";
  }

  private static boolean isGoingBack(Stage stage) {
    return stage == Stage.RETURNING || stage == Stage.ABANDONING || stage == Stage.ROLLED_BACK;
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
    while (step()) {
      watch.stage(move());
    }
    if (move().stage() == Stage.ROLLED_BACK) {
      generations.dropTarget(move());
      new CopyDirectories(settings.work(), move().target()).clear(plain.getConfiguration());
      registry.forget(move().target());
    } else if (move().stage() == Stage.FINISHED && move().isRenaming()) {
      generations.dropSource(move());
      registry.forget(move().source());
    }
    return move();
  }

  /** Does what the present stage is for; false if there is no more to do. */
  private boolean step() throws IOException {
    boolean back = move().goal() == Stage.ROLLED_BACK;
    switch (move().stage()) {
      case PREPARING -> {
        if (back) {
          record.store(move().at(Stage.ABANDONING));
        } else {
          track(move().source(), Stage.COPYING);
        }
      }
      case COPYING -> {
        if (!back) {
          copy();
        }
        record.store(move().at(back ? Stage.ABANDONING : Stage.VERIFYING));
      }
      case VERIFYING -> {
        if (!back) {
          // A clone has what was written before it was made.
          if (!move().isRenaming()) {
            passes.all(source(), target());
          }
          expectedPause = passes.catchUp(source(), target());
        }
        record.store(move().at(back ? Stage.ABANDONING : Stage.READY));
      }
      case READY -> {
        if (move().goal() == Stage.READY) {
          return false;
        } else if (!back) {
          // Those that were granted meanwhile.
          generations.copyRights(move());
          generations.flush(move().source());
          expectedPause = passes.catchUp(source(), target());
        }
        record.store(move().at(back ? Stage.ABANDONING : Stage.FENCING));
      }
      case FENCING -> {
        if (!back) {
          pause.fence(source(), target(), expectedPause, Stage.READY);
        }
        record.store(move().at(back ? Stage.ABANDONING : Stage.CLOSING));
      }
      case CLOSING -> {
        if (!back) {
          pause.close(source(), target(), Stage.READY);
        }
        record.store(move().at(back ? Stage.ABANDONING : Stage.SWITCHING));
      }
      case SWITCHING -> {
        track(move().target(), Stage.SWITCHED);
        pause.end();
      }
      case SWITCHED -> {
        if (move().goal() == Stage.SWITCHED) {
          return false;
        }
        if (back) {
          generations.flush(move().target());
          expectedPause = passes.catchUp(target(), source());
          record.store(move().at(Stage.RETURNING));
        } else {
          record.store(move().nextTurn());
          if (move().isRenaming()) {
            generations.ownName(move().target());
          }
          open(move().target());
          record.store(move().at(Stage.FINISHED));
        }
      }
      case RETURNING -> {
        pause.fence(target(), source(), expectedPause, Stage.SWITCHED);
        pause.close(target(), source(), Stage.SWITCHED);
        record.store(move().at(Stage.ABANDONING));
      }
      case ABANDONING -> {
        record.store(move().nextTurn());
        if (generations.exists(move().target())) {
          guard.set(move().target(), record.turn(), GuardMode.CLOSED, move().source());
        }
        open(move().source());
        pause.end();
        record.store(move().at(Stage.ROLLED_BACK));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private Side source() throws IOException {
    return new Side(move().source(), generations.layout(move().source(), target().layout()));
  }

  private Side target() throws IOException {
    Layout layout = TableLayout.of(generations.descriptor(move().target()));
    if (layout == null) {
      throw new MoveException("next generation without a layout: table=" + move().target());
    }
    return new Side(move().target(), layout);
  }

  private void open(TableName generation) throws IOException {
    guard.open(generation, record.turn());
  }

  /**
   * Opens a generation, and has every row marked that is written from now on. A run that was killed
   * may have done it before: its marks count.
   */
  private void track(TableName generation, Stage next) throws IOException {
    boolean before = guard.state(generation).mode() == GuardMode.TRACKED;
    GuardControl.Acknowledged all = claim(generation, GuardMode.TRACKED);
    // Before the first time there are no marks, or those of an earlier migration.
    int through = before ? 0 : all.pass() - 1;
    if (!before) {
      passes.begin(all);
    }
    long since = before ? 0 : Passes.since(all);
    record.store(move().with(move().work().compared(through, since)).at(next));
  }

  private TableName other(TableName generation) {
    return generation.equals(move().source()) ? move().target() : move().source();
  }

  private void copy() throws IOException {
    if (move().isRenaming()) {
      generations.cloneSource(move(), guard.state(move().source()));
      registry.record(move().target(), target().layout().toString());
      record.store(move().with(move().work().copied(1, 0)));
      return;
    }
    Rekeyed rekeyed = new Rekeyed(source().layout(), target().layout());
    Set<byte[]> families = generations.descriptor(move().source()).getColumnFamilyNames();
    try (Governor governor = Governor.of(plain, registry, move())) {
      int rounds = move().work().rounds().size();
      long rows = move().work().rows();
      for (int round = move().work().copied(); round < rounds; round++) {
        int at = round;
        long before = rows;
        Copy copy = new Copy(plain, rekeyed, move(), families, settings.work());
        rows +=
            copy.round(
                round,
                (share, done) -> {
                  watch.progress((at + share) / rounds, before + done);
                  governor.look();
                });
        record.store(move().with(move().work().copied(round + 1, rows)));
      }
      new Copy(plain, rekeyed, move(), families, settings.work()).tidy();
    }
  }

  @Override
  public void close() {
    close(comparison);
    close(guard);
    close(lock);
  }

  private static void close(@Nullable AutoCloseable closing) {
    if (closing == null) {
      return;
    }
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
