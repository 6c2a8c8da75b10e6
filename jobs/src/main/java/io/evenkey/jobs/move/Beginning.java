package io.evenkey.jobs.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Begins migrations: refuses those that would lose something, and makes the next generation. As
 * thread-safe as the connection.
 */
final class Beginning {
  private final Connection plain;
  private final Registry registry;
  private final Generations generations;
  private final GuardControl guard;

  Beginning(Connection plain, Registry registry, GuardControl guard) {
    this.plain = plain;
    this.registry = registry;
    this.generations = new Generations(plain);
    this.guard = guard;
  }

  /**
   * To another layout. The next generation is there then, empty and closed to clients.
   *
   * @param last the last migration of the table, which is over; null if there was none
   */
  Move of(MovePlan plan, @Nullable Move last, MoveWatch watch) throws IOException {
    TableName table = plan.table();
    Layout layout = plan.layout();
    TableName source = last == null ? table : last.generation();
    Layout from = generations.layout(source, layout);
    generations.check(source, from, layout);
    Move.Fence fence = fence(plan, source);
    if (plan.by() == Move.By.SNAPSHOT || fence == Move.Fence.NAMES) {
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
            turn(last, source),
            fence,
            Move.Work.of(plan.by(), generations.rounds(source)),
            plan.pace(),
            now());
    if (fence == Move.Fence.NAMES || last != null && last.fence() == Move.Fence.NAMES) {
      move = move.into(move.ownNameOfTurn());
    }
    generations.create(move, layout, splits);
    registry.record(move.target(), layout.toString());
    return move;
  }

  /**
   * What is to keep clients from the source.
   *
   * @throws MoveException if that takes a pause that the plan does not accept
   */
  private Move.Fence fence(MovePlan plan, TableName source) throws IOException {
    MoveException missing = guard.missing(source).orElse(null);
    if (missing == null) {
      return Move.Fence.GUARD;
    }
    if (plan.acceptsPause()) {
      generations.checkOwnTombstones(source);
      return Move.Fence.NAMES;
    }
    long seconds = new NamedGenerations(plain).expectedPause(source).toSeconds() + 1;
    throw new MoveException(
        missing.getMessage()
            + "; or migrate without it: reads and writes then pause once for about "
            + seconds
            + " s, each region opens again once before, and the table keeps the name of its next"
            + " generation: --accept-pause");
  }

  /**
   * To the table's own name.
   *
   * @param last the last migration of the table; null if there was none
   * @throws MoveException if the generation in use has the name already, or clients can use a table
   *     of the name
   */
  Move ofRenaming(TableName table, @Nullable Move last) throws IOException {
    if (last == null || last.stage() != Stage.FINISHED || last.generation().equals(table)) {
      throw new MoveException(
          "no generation to rename: table="
              + table
              + " reason="
              + (last == null || last.stage() == Stage.FINISHED
                  ? "the table has its own name"
                  : "its last migration was rolled back")
              + "; a renaming follows a migration that is finished");
    }
    TableName source = last.generation();
    generations.checkKind(source);
    guard.checkInstalled(source);
    generations.checkLeft(table);
    return new Move(
        table,
        source,
        table,
        Stage.PREPARING,
        Stage.FINISHED,
        turn(last, source),
        Move.Fence.GUARD,
        Move.Work.of(Move.By.SNAPSHOT, List.of("")),
        Move.Pace.FREE,
        now());
  }

  private int turn(@Nullable Move last, TableName source) throws IOException {
    long before = Math.max(last == null ? 0 : last.turn(), guard.state(source).turn());
    return Math.toIntExact(before + 1);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
