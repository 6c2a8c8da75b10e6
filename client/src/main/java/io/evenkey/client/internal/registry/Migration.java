/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.layout.naming.DerivedTable;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The migration of a table from one generation to the next; once it is over, which generation the
 * table is. Immutable.
 *
 * @param table the table, as applications call it
 * @param source the generation that is left
 * @param target the next one
 * @param stage the stage of the migration
 * @param goal the stage up to which it runs by itself: READY, SWITCHED, FINISHED or ROLLED_BACK
 * @param turn counts the runs of migrations of the table, from 1 on: the guard refuses requests of
 *     earlier ones
 * @param fence keeps clients from a generation that was left
 * @param work the counts of the copy and the comparison
 * @param pace the largest speed of the copy
 * @param since when it was begun
 * @param step the layouts before and after, if the salt gets a step; else null. Where no row has to
 *     be rewritten for it, the source is the target
 * @param keyChange the change of the row key, if the next generation has another one; else null
 */
public record Migration(
    TableName table,
    TableName source,
    TableName target,
    Stage stage,
    Stage goal,
    int turn,
    Fence fence,
    Work work,
    Pace pace,
    Instant since,
    @Nullable Step step,
    @Nullable KeyChange keyChange) {
  /** The way by which clients are kept from a generation that was left. */
  public enum Fence {
    /** The guard of the region servers refuses their requests. */
    GUARD,
    /** No table has the generation's name any more: each generation is a clone under a new name. */
    NAMES
  }

  /**
   * A step of the salt that the table's layout gets: the lines before and after.
   *
   * @param before the layout without the step
   * @param after the layout with it
   */
  public record Step(String before, String after) {}

  /**
   * A change of the row key.
   *
   * @param before the line of the layout before
   * @param after the line of the layout after, which has all fields of the one before
   * @param columns the fields that are taken from columns, as {@code customer=d:customer}; empty if
   *     all are fields of the key before
   */
  public record KeyChange(String before, String after, String columns) {}

  /** A migration of all rows. */
  public Migration(
      TableName table,
      TableName source,
      TableName target,
      Stage stage,
      Stage goal,
      int turn,
      Fence fence,
      Work work,
      Pace pace,
      Instant since) {
    this(table, source, target, stage, goal, turn, fence, work, pace, since, null, null);
  }

  /** A step of the salt, which rewrites no row. */
  public static Migration ofStep(
      TableName table, TableName physical, Step step, int turn, Instant since) {
    return new Migration(
        table,
        physical,
        physical,
        Stage.PREPARING,
        Stage.FINISHED,
        turn,
        Fence.GUARD,
        Work.of(By.PUTS, List.of()),
        Pace.FREE,
        since,
        step,
        null);
  }

  /** The way of a copy. */
  public enum By {
    /** Rows are read from the servers, and put. */
    PUTS,
    /** Rows are read from the servers and written to store files, which are bulk-loaded. */
    FILES,
    /** The same, but that rows are read from the files of a snapshot. */
    SNAPSHOT
  }

  /**
   * The progress of the copy, and of the comparison. Immutable.
   *
   * @param by the way of the copy
   * @param rounds the source's rows, in hex, at which the rounds of the copy begin
   * @param copied the number of rounds that are done
   * @param rows the number of rows that were copied in these
   * @param comparedThrough rows with marks of this pass and earlier ones are alike in both
   *     generations
   * @param changedSince since when rows have marks of the next pass: milliseconds since 1970, by
   *     the servers' clocks; 0 if that is not known
   * @param repaired rows that differed and were repaired, so far
   */
  public record Work(
      By by,
      List<String> rounds,
      int copied,
      long rows,
      int comparedThrough,
      long changedSince,
      long repaired) {
    /** Copies the list. */
    public Work {
      rounds = List.copyOf(rounds);
    }

    /** Nothing is done yet. */
    public static Work of(By by, List<String> rounds) {
      return new Work(by, rounds, 0, 0, 0, 0, 0);
    }

    /** The same with this number of copied rounds, and of rows in all of them. */
    public Work copied(int done, long all) {
      return new Work(by, rounds, done, all, comparedThrough, changedSince, repaired);
    }

    /** The same with the rows of a pass compared. */
    public Work compared(int through, long nextSince) {
      return new Work(by, rounds, copied, rows, through, nextSince, repaired);
    }

    /** The same with this number of repaired rows added. */
    public Work repaired(long more) {
      return new Work(by, rounds, copied, rows, comparedThrough, changedSince, repaired + more);
    }
  }

  /**
   * The largest speed of a copy.
   *
   * @param rowsPerSecond 0 for as fast as it can
   * @param latencyMs the 99th percentile of a read of the source, in milliseconds, above which the
   *     copy is slowed down; 0 for whatever it takes
   * @param heldTo the rows a second that reads have left to it so far; 0 before reads were measured
   */
  public record Pace(long rowsPerSecond, long latencyMs, long heldTo) {
    /** As fast as it can. */
    public static final Pace FREE = new Pace(0, 0);

    private static final long SLOWEST = 100;
    private static final long FIRST = 20_000;

    /** Checks the numbers. */
    public Pace {
      if (rowsPerSecond < 0 || latencyMs < 0 || heldTo < 0) {
        throw new IllegalArgumentException(
            "pace out of range: rows-per-second=" + rowsPerSecond + " latency-ms=" + latencyMs);
      }
    }

    /** As an operator sets it. */
    public Pace(long rowsPerSecond, long latencyMs) {
      this(rowsPerSecond, latencyMs, 0);
    }

    /** The number of rows that the copy may write in a second now; 0 for no limit. */
    public long allowed() {
      if (latencyMs == 0 || heldTo == 0) {
        return rowsPerSecond;
      }
      return rowsPerSecond == 0 ? heldTo : Math.min(rowsPerSecond, heldTo);
    }

    /**
     * The same after a look at reads: half as fast if they took too long, else faster by a tenth.
     *
     * @param slowestMs the time that they took, in milliseconds
     */
    public Pace after(long slowestMs) {
      if (latencyMs == 0) {
        return this;
      }
      long now = allowed() == 0 ? FIRST : allowed();
      long next = slowestMs > latencyMs ? Math.max(SLOWEST, now / 2) : now + now / 10 + 1;
      return new Pace(rowsPerSecond, latencyMs, next);
    }
  }

  /** Whether the table's salt gets a step in place: no row is rewritten. */
  public boolean isStep() {
    return step != null && source.equals(target);
  }

  /** Whether the salt gets a step at which rows are stored already: these alone are rewritten. */
  public boolean isRewriting() {
    return step != null && !source.equals(target);
  }

  /** Whether fields of the next row key are taken from columns. */
  public boolean takesKeyFromColumns() {
    return keyChange != null && !keyChange.columns().isEmpty();
  }

  /** The same with a change of the row key. */
  public Migration changing(KeyChange key) {
    return new Migration(
        table, source, target, stage, goal, turn, fence, work, pace, since, step, key);
  }

  /** Whether the target is to have the table's own name, with the source's layout. */
  public boolean isRenaming() {
    return step == null && target.equals(table);
  }

  /** Whether there is only the way back. */
  public boolean isGoingBack() {
    return switch (stage) {
      case RETURNING, ABANDONING, ROLLED_BACK -> true;
      default -> fence == Fence.NAMES && goal == Stage.ROLLED_BACK;
    };
  }

  /** The generation that clients use. */
  public TableName generation() {
    return stage.usesTarget() ? target : source;
  }

  /** Which generation a physical table is: 1 of one that bears the table's own name. */
  public static int generationOf(TableName table, TableName physical) {
    return DerivedTable.number(table.getNameAsString(), physical.getNameAsString()).orElse(1);
  }

  /** The name of the next generation. */
  public static TableName next(TableName table, TableName source) {
    return numbered(table, generationOf(table, source) + 1);
  }

  private static TableName numbered(TableName table, int number) {
    return TableName.valueOf(DerivedTable.generation(table.getNameAsString(), number));
  }

  /** A name for a generation that none has had before: no two turns have the same. */
  public TableName ownNameOfTurn() {
    return numbered(table, turn + 1);
  }

  /**
   * Whether clients have to wait, because the generation is left, and the next one is not in use.
   */
  public boolean isBetweenGenerations() {
    return fence == Fence.NAMES && stage == Stage.FENCING;
  }

  /** The same at another stage. */
  public Migration at(Stage next) {
    return new Migration(
        table, source, target, next, goal, turn, fence, work, pace, since, step, keyChange);
  }

  /** The way back after the switch, by names: a migration to the generation that was left. */
  public Migration back() {
    return new Migration(
        table,
        target,
        source,
        Stage.PREPARING,
        Stage.ROLLED_BACK,
        turn + 1,
        fence,
        work,
        pace,
        since,
        step,
        keyChange);
  }

  /** The end of a rollback: the next generation, under another name, is not needed any more. */
  public Migration backFrom(TableName other) {
    return new Migration(
        table,
        target,
        other,
        Stage.ROLLED_BACK,
        goal,
        turn,
        fence,
        work,
        pace,
        since,
        step,
        keyChange);
  }

  /** The same after the switch, with the generation that is left under another name. */
  public Migration switchedFrom(TableName other) {
    return from(other).at(Stage.SWITCHED);
  }

  /** The same with the generation that is left under another name. */
  public Migration from(TableName other) {
    return new Migration(
        table, other, target, stage, goal, turn, fence, work, pace, since, step, keyChange);
  }

  /** The same with the next generation under another name. */
  public Migration into(TableName other) {
    return new Migration(
        table, source, other, stage, goal, turn, fence, work, pace, since, step, keyChange);
  }

  /** The same in the hands of another run. */
  public Migration nextTurn() {
    return new Migration(
        table, source, target, stage, goal, turn + 1, fence, work, pace, since, step, keyChange);
  }

  /** The same on its way to another end. */
  public Migration to(Stage end) {
    return new Migration(
        table, source, target, stage, end, turn, fence, work, pace, since, step, keyChange);
  }

  /** The same with more done. */
  public Migration with(Work done) {
    return new Migration(
        table, source, target, stage, goal, turn, fence, done, pace, since, step, keyChange);
  }

  /** The same at another pace. */
  public Migration with(Pace other) {
    return new Migration(
        table, source, target, stage, goal, turn, fence, work, other, since, step, keyChange);
  }
}
