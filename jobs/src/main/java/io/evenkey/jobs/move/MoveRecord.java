package io.evenkey.jobs.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Versioned;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.move.GenerationComparison.Outcome;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * Where a migration is: what this run has stored in the registry last. Of it others change the pace
 * only, or take the migration over. Not thread-safe.
 */
final class MoveRecord {
  private final Registry registry;
  private Move move;

  MoveRecord(Registry registry, Move stored) {
    this.registry = registry;
    this.move = stored;
  }

  Move move() {
    return move;
  }

  long turn() {
    return move.turn();
  }

  /**
   * Stores what follows.
   *
   * @throws MoveException if another run has taken the migration over
   */
  void store(Move next) throws IOException {
    TableName table = move.table();
    Versioned<Move> now =
        registry
            .move(table)
            .orElseThrow(() -> new MoveException("migration is gone: table=" + table));
    if (now.value().stage() != move.stage() || now.value().turn() != move.turn()) {
      throw new MoveException("another run is migrating the table: table=" + table);
    }
    move = next.with(now.value().pace());
    registry.store(move, now.version());
  }

  /**
   * Adds up what a comparison has repaired.
   *
   * @throws MoveException if rows differ after that
   */
  void count(Outcome outcome) throws IOException {
    List<Difference> left = outcome.left();
    if (!left.isEmpty()) {
      throw new MoveException(
          "rows still differ after they were repaired: table="
              + move.table()
              + " rows="
              + left.size()
              + " example="
              + left.get(0).label()
              + "; --resume compares again, --rollback ends the migration");
    }
    if (outcome.repaired() > 0) {
      store(move.with(move.work().repaired(outcome.repaired())));
    }
  }
}
