package io.evenkey.jobs.move;

import io.evenkey.client.TableLayout;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.jobs.move.GenerationComparison.Side;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardMode;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A migration in which the guard of the region servers says what clients may do, see {@link
 * GuardMode}. Each run has a number, its turn: the guard refuses what an earlier run or its map
 * tasks send late. Not thread-safe.
 */
final class GuardProtocol implements Protocol {
  private final Connection plain;
  private final Registry registry;
  private final MoveSettings settings;
  private final MoveWatch watch;
  private final Generations generations;
  private final GuardControl guard;
  private final GenerationComparison comparison;
  private final MoveRecord record;
  private final Passes passes;
  private final WritePause pause;

  /** How long writes will pause, by the last pass. */
  private Duration expectedPause = Duration.ZERO;

  private GuardProtocol(
      Connection plain,
      Registry registry,
      MoveRecord record,
      MoveSettings settings,
      MoveWatch watch,
      GuardControl guard,
      GenerationComparison comparison) {
    this.plain = plain;
    this.registry = registry;
    this.settings = settings;
    this.watch = watch;
    this.generations = new Generations(plain);
    this.guard = guard;
    this.comparison = comparison;
    this.record = record;
    this.passes = new Passes(record, guard, comparison, watch);
    this.pause = new WritePause(record, guard, passes, watch);
  }

  /** Opens the connections that it takes. */
  static GuardProtocol open(
      Connection plain,
      Registry registry,
      MoveRecord record,
      MoveSettings settings,
      MoveWatch watch)
      throws IOException {
    GuardControl guard = GuardControl.open(plain);
    try {
      GenerationComparison comparison =
          GenerationComparison.open(plain, settings, RowRepairs.Sending.REPEATED);
      return new GuardProtocol(plain, registry, record, settings, watch, guard, comparison);
    } catch (IOException | RuntimeException e) {
      guard.close();
      throw e;
    }
  }

  private Move move() {
    return record.move();
  }

  @Override
  public void to(Stage goal) throws IOException {
    record.store(move().to(goal));
  }

  /**
   * Sets what the stage says for both generations: what the run before still sends is refused from
   * then on. What it has set itself since the stage was stored does not count.
   */
  @Override
  public void claim() throws IOException {
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

  @Override
  public boolean step() throws IOException {
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
    new CopyRounds(plain, registry, record, settings.work(), watch)
        .run(new Rekeyed(source().layout(), target().layout()));
  }

  @Override
  public void tidy() throws IOException {
    if (move().stage() == Stage.ROLLED_BACK) {
      generations.dropTarget(move());
      new CopyDirectories(settings.work(), move().target()).clear(plain.getConfiguration());
      registry.forget(move().target());
    } else if (move().stage() == Stage.FINISHED && move().isRenaming()) {
      generations.dropSource(move());
      registry.forget(move().source());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      comparison.close();
    } finally {
      guard.close();
    }
  }

  @Override
  public String toString() {
    return "guarded " + move();
  }
}
