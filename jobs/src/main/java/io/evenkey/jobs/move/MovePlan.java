package io.evenkey.jobs.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Stage;
import io.evenkey.layout.Layout;
import org.apache.hadoop.hbase.TableName;

/**
 * What is asked for when a move is begun. Immutable.
 *
 * @param table the table, as applications call it
 * @param layout the next generation's
 * @param regions how many that is cut into; 0 for about as many as the present one
 * @param by how the copy goes
 * @param pace how fast it may be
 * @param goal how far to go by itself
 * @param acceptsPause whether reads and writes may pause for seconds, where no guard is
 */
public record MovePlan(
    TableName table,
    Layout layout,
    int regions,
    Move.By by,
    Move.Pace pace,
    Stage goal,
    boolean acceptsPause) {
  /** Checks the number of regions. */
  public MovePlan {
    if (regions < 0) {
      throw new IllegalArgumentException(
          "number of regions out of range: regions=" + regions + "; give 1 or more");
    }
  }

  /** By files, as fast as it can, until both generations are alike. */
  public static MovePlan of(TableName table, Layout layout) {
    return new MovePlan(table, layout, 0, Move.By.FILES, Move.Pace.FREE, Stage.READY, false);
  }

  /** The same, cut into so many regions. */
  public MovePlan regions(int count) {
    return new MovePlan(table, layout, count, by, pace, goal, acceptsPause);
  }

  /** The same, copied another way. */
  public MovePlan by(Move.By way) {
    return new MovePlan(table, layout, regions, way, pace, goal, acceptsPause);
  }

  /** The same at another pace. */
  public MovePlan at(Move.Pace other) {
    return new MovePlan(table, layout, regions, by, other, goal, acceptsPause);
  }

  /** The same, as far as another stage. */
  public MovePlan to(Stage end) {
    return new MovePlan(table, layout, regions, by, pace, end, acceptsPause);
  }

  /** The same, by names where no guard is. */
  public MovePlan acceptingPause() {
    return new MovePlan(table, layout, regions, by, pace, goal, true);
  }
}
