package io.evenkey.jobs.move;

import io.evenkey.client.TableLayout;
import io.evenkey.client.registry.InForce;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.jobs.move.GenerationComparison.Side;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A migration of a table whose region servers have no guard. What keeps clients from a generation
 * that is left is that no table has its name any more.
 *
 * <p>Every step goes one way only: a generation is disabled, kept as a snapshot, and goes on as a
 * clone under a name that no table has had; none is enabled again. So what an earlier run or a
 * client does late finds no table, and what two runs do at once is the same. What a run still sends
 * to the next generation is kept out likewise: each run gives that another name, and compares all
 * rows once.
 *
 * <p>Reads and writes pause while clients change generations. If anything fails in that pause, the
 * generation goes on as its own clone. The way back after the switch is a migration from the next
 * generation to a clone of the one before, of the rows that changed since a snapshot from before
 * the switch. Not thread-safe.
 */
final class NameProtocol implements Protocol {
  private final Connection plain;
  private final Registry registry;
  private final MoveRecord record;
  private final MoveSettings settings;
  private final MoveWatch watch;
  private final Generations generations;
  private final NamedGenerations names;
  private final GenerationComparison comparison;
  private final FilePasses passes;

  /** How long the last pass took. */
  private Duration lastPass = Duration.ZERO;

  private NameProtocol(
      Connection plain,
      Registry registry,
      MoveRecord record,
      MoveSettings settings,
      MoveWatch watch,
      GenerationComparison comparison) {
    this.plain = plain;
    this.registry = registry;
    this.record = record;
    this.settings = settings;
    this.watch = watch;
    this.generations = new Generations(plain);
    this.names = new NamedGenerations(plain);
    this.comparison = comparison;
    Configuration configuration = plain.getConfiguration();
    this.passes = new FilePasses(record, names, comparison, watch, configuration);
  }

  /** Opens the connections that it takes. */
  static NameProtocol open(
      Connection plain,
      Registry registry,
      MoveRecord record,
      MoveSettings settings,
      MoveWatch watch)
      throws IOException {
    GenerationComparison comparison =
        GenerationComparison.open(plain, settings, RowRepairs.Sending.ONCE);
    return new NameProtocol(plain, registry, record, settings, watch, comparison);
  }

  private Move move() {
    return record.move();
  }

  @Override
  public void claim() throws IOException {
    switch (move().stage()) {
      case COPYING, VERIFYING, READY -> renewTarget();
      case FENCING -> {
        goOn();
        renewTarget();
      }
      default -> {
        // Nothing is under way that could be late.
      }
    }
  }

  @Override
  public void to(Stage goal) throws IOException {
    Move now = move();
    if (goal != Stage.ROLLED_BACK) {
      record.store(now.to(goal));
    } else if (now.stage() == Stage.SWITCHED) {
      record.store(now.back());
    } else if (!now.isGoingBack()) {
      record.store(now.to(goal).at(Stage.ABANDONING));
    }
  }

  @Override
  public boolean step() throws IOException {
    switch (move().stage()) {
      case PREPARING -> {
        names.keepTombstones(move(), move().source());
        record.store(move().at(Stage.COPYING));
      }
      case COPYING -> {
        if (!move().isGoingBack()) {
          new CopyRounds(plain, registry, record, settings.work(), watch)
              .run(new Rekeyed(source().layout(), target().layout()));
        }
        // What its tasks still send is refused from then on.
        renewTarget();
        record.store(move().at(Stage.VERIFYING));
      }
      case VERIFYING -> {
        compare();
        record.store(move().at(Stage.READY));
      }
      case READY -> {
        if (move().goal() == Stage.READY) {
          return false;
        }
        // Those that were granted meanwhile.
        generations.copyRights(move());
        if (!move().isGoingBack()) {
          names.snapshotBeforeSwitch(move());
        }
        compare();
        record.store(move().nextTurn().at(Stage.FENCING));
      }
      case FENCING -> change();
      case SWITCHED -> {
        if (move().goal() == Stage.SWITCHED) {
          return false;
        }
        record.store(move().at(Stage.FINISHED));
      }
      case ABANDONING -> record.store(move().at(Stage.ROLLED_BACK));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void compare() throws IOException {
    String before = NamedGenerations.beforeSwitch(move());
    if (!passes.isBegun() && move().isGoingBack() && names.hasSnapshot(before)) {
      // The last pass of the way there has made both alike.
      passes.since(before);
    } else if (!passes.isBegun()) {
      passes.all(source(), target());
    }
    lastPass = passes.catchUp(source(), target());
  }

  /** Has clients change to the next generation. */
  private void change() throws IOException {
    Side left = source();
    Side next = target();
    watch.pausing(names.expectedPause(left.table()).plus(lastPass));
    long begunNanos = System.nanoTime();
    try {
      names.leave(move(), left.table());
      TableName frozen = move().ownNameOfTurn();
      names.goOn(move(), left.table(), frozen);
      registry.record(frozen, left.layout().toString());
      passes.last(
          NamedGenerations.left(move(), left.table()), new Side(frozen, left.layout()), next);
      record.store(move().isGoingBack() ? move().backFrom(frozen) : move().switchedFrom(frozen));
    } catch (IOException | RuntimeException e) {
      retreat(e);
      throw e;
    }
    watch.paused(Duration.ofNanos(System.nanoTime() - begunNanos));
    names.dropLeft(left.table());
    registry.forget(left.table());
    names.close(move().stage() == Stage.SWITCHED ? move().source() : move().target());
  }

  // Clients must not wait until an operator has found out what is wrong.
  private void retreat(Exception why) {
    try {
      record.store(move().nextTurn());
      goOn();
    } catch (IOException | RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  /** The generation that was to be left goes on as its own clone. */
  private void goOn() throws IOException {
    TableName left = move().source();
    TableName clone = move().ownNameOfTurn();
    String layout = registry.inForce(left).map(InForce::layout).orElse(null);
    names.leave(move(), left);
    names.goOn(move(), left, clone);
    if (layout != null) {
      registry.record(clone, layout);
    }
    record.store(move().from(clone).at(Stage.VERIFYING));
    names.dropLeft(left);
    registry.forget(left);
  }

  /** Gives the next generation another name: what an earlier run sends to it is refused. */
  private void renewTarget() throws IOException {
    record.store(move().nextTurn());
    TableName before = move().target();
    TableName next = move().ownNameOfTurn();
    names.leave(move(), before);
    names.goOn(move(), before, next);
    Layout layout = TableLayout.of(generations.descriptor(next));
    if (layout != null) {
      registry.record(next, layout.toString());
    }
    record.store(move().into(next));
    names.dropLeft(before);
    registry.forget(before);
    names.dropSnapshot(NamedGenerations.left(move(), before));
    new CopyDirectories(settings.work(), before).clear(plain.getConfiguration());
  }

  private Side source() throws IOException {
    return side(move().source(), move().target());
  }

  private Side target() throws IOException {
    return side(move().target(), move().source());
  }

  // One of the two may have no layout: then its rows are the keys.
  private Side side(TableName generation, TableName other) throws IOException {
    Layout own = TableLayout.of(generations.descriptor(generation));
    if (own != null) {
      return new Side(generation, own);
    }
    Layout layout = TableLayout.of(generations.descriptor(other));
    if (layout == null) {
      throw new MoveException("generations without a layout: tables=" + generation + "," + other);
    }
    return new Side(generation, Layout.parse(layout.key().unreversed().toString()));
  }

  @Override
  public void tidy() throws IOException {
    Move move = move();
    if (move.stage() == Stage.READY) {
      return;
    }
    if (move.stage().isOver()) {
      names.releaseTombstones(move.generation());
    }
    for (TableName table = names.superfluous(move);
        table != null;
        table = names.superfluous(move)) {
      names.drop(move, table);
      registry.forget(table);
      new CopyDirectories(settings.work(), table).clear(plain.getConfiguration());
    }
    names.dropSnapshots(move);
  }

  @Override
  public void close() throws IOException {
    comparison.close();
  }

  @Override
  public String toString() {
    return "by names " + move();
  }
}
