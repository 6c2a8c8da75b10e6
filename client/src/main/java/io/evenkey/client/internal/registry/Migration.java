/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import io.evenkey.protocol.naming.DerivedTable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;

/**
 * The migration of a table from one generation to the next; once it is over, which generation the
 * table is. Immutable.
 *
 * @param table the table, as applications call it
 * @param kind the change that it makes
 * @param source the generation that is left
 * @param target the next one; the source itself if the table gets a step in place
 * @param stage the stage of the migration
 * @param goal the stage up to which it runs by itself: READY, SWITCHED, FINISHED or ROLLED_BACK
 * @param turn counts the runs of migrations of the table, from 1 on: the guard refuses requests of
 *     earlier ones
 * @param fence keeps clients from a generation that was left
 * @param work the counts of the copy and the comparison
 * @param pace the largest speed of the copy
 * @param clusters the other clusters of a replicated table
 * @param since when it was begun
 */
public record Migration(
    TableName table,
    Kind kind,
    TableName source,
    TableName target,
    Stage stage,
    Stage goal,
    int turn,
    Fence fence,
    Work work,
    Pace pace,
    Clusters clusters,
    Instant since) {
  /** Checks that a step in place, and nothing else, has one generation. */
  public Migration {
    if (kind instanceof Kind.StepInPlace != source.equals(target)) {
      throw new IllegalArgumentException(
          "generations do not fit the kind of migration: kind="
              + kind.getClass().getSimpleName()
              + " source="
              + source
              + " target="
              + target);
    }
  }

  /**
   * A migration that begins, with the guard and as fast as it can, until both generations are
   * alike.
   */
  public static Migration begin(
      TableName table, Kind kind, TableName source, TableName target, int turn, Instant since) {
    return new Migration(
        table,
        kind,
        source,
        target,
        Stage.PREPARING,
        Stage.READY,
        turn,
        Fence.GUARD,
        Work.of(By.PUTS, List.of()),
        Pace.FREE,
        Clusters.NONE,
        since);
  }

  /** The way by which clients are kept from a generation that was left. */
  public enum Fence {
    /** The guard of the region servers refuses their requests. */
    GUARD,
    /** No table has the generation's name any more: each generation is a clone under a new name. */
    NAMES
  }

  /** The way of a copy. */
  public enum By {
    /** Rows are read from the servers, and put. */
    PUTS,
    /** Rows are read from the servers and written to store files, which are bulk-loaded. */
    FILES,
    /** Rows are read from the files of a snapshot and written to files, which are bulk-loaded. */
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
   *     generations; -1 if rows that were written before the first pass may differ, too
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

    /** Returns these counts with the number of copied rounds, and of rows in all of them. */
    public Work copied(int done, long all) {
      return new Work(by, rounds, done, all, comparedThrough, changedSince, repaired);
    }

    /** Returns these counts with the rows of a pass compared. */
    public Work compared(int through, long nextSince) {
      return new Work(by, rounds, copied, rows, through, nextSince, repaired);
    }

    /** Returns these counts with more repaired rows. */
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
    /** No limit. */
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

    /** The pace that an operator sets. */
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
     * Returns the pace after a look at reads: half as fast if they took too long, else faster by a
     * tenth.
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

  /**
   * The other clusters that a migration of a replicated table has to do with. Immutable.
   *
   * @param peers the clusters to which the table is replicated, where it is migrated too
   * @param source the ZooKeeper key of the cluster from which the table is replicated, whose
   *     migration this one follows; empty if there is none
   * @param sinceTurn the turn of the source's migration when that began; 0 if there is none
   */
  public record Clusters(List<Peer> peers, String source, int sinceTurn) {
    /** The table is not replicated, or its migration is of no other cluster's concern. */
    public static final Clusters NONE = new Clusters(List.of(), "", 0);

    /** Copies the list. */
    public Clusters {
      peers = List.copyOf(peers);
    }

    /** The peers of a table. */
    public static Clusters of(List<Peer> peers, int turn) {
      return new Clusters(peers, "", turn);
    }

    /** The cluster of which a table is a peer's. */
    public static Clusters following(String source, int turn) {
      return new Clusters(List.of(), source, turn);
    }

    /** Whether the table is replicated from another cluster, whose migration this one follows. */
    public boolean follows() {
      return !source.isEmpty();
    }

    /** The names by which replication knows the peers' clusters. */
    public List<UUID> ids() {
      return peers.stream().map(peer -> UUID.fromString(peer.cluster())).toList();
    }
  }

  /**
   * A cluster to which a table is replicated.
   *
   * @param id the peer's, as in {@code add_peer}
   * @param cluster the id of the cluster
   */
  public record Peer(String id, String cluster) {}

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

  /** Returns this migration at another stage. */
  public Migration enter(Stage next) {
    return change(copy -> copy.stage = next);
  }

  /** Returns this migration on its way back to the source. */
  public Migration abandon() {
    return enter(Stage.ABANDONING);
  }

  /** Returns this migration with another goal. */
  public Migration aimFor(Stage end) {
    return change(copy -> copy.goal = end);
  }

  /** Returns this migration in the hands of the next run or pass. */
  public Migration nextTurn() {
    return change(copy -> copy.turn++);
  }

  /** Returns this migration with the way that keeps clients from the source. */
  public Migration withFence(Fence other) {
    return change(copy -> copy.fence = other);
  }

  /** Returns this migration with more done. */
  public Migration withWork(Work done) {
    return change(copy -> copy.work = done);
  }

  /** Returns this migration at another pace. */
  public Migration withPace(Pace other) {
    return change(copy -> copy.pace = other);
  }

  /** Returns this migration with the other clusters of its table. */
  public Migration withClusters(Clusters others) {
    return change(copy -> copy.clusters = others);
  }

  /** Returns this migration with the generation that is left under another name. */
  public Migration renameSource(TableName other) {
    return change(copy -> copy.source = other);
  }

  /** Returns this migration with the next generation under another name. */
  public Migration renameTarget(TableName other) {
    return change(copy -> copy.target = other);
  }

  /**
   * Returns the way back after the switch, by names: a migration to the generation that was left.
   */
  public Migration goBack() {
    return change(
        copy -> {
          copy.source = target;
          copy.target = source;
          copy.stage = Stage.PREPARING;
          copy.goal = Stage.ROLLED_BACK;
          copy.turn++;
        });
  }

  /**
   * Returns the end of the change of generations, by names.
   *
   * @param left the new name of the generation that clients have left
   */
  public Migration switchReads(TableName left) {
    return change(
        copy -> {
          copy.source = left;
          copy.stage = Stage.SWITCHED;
          if (isGoingBack()) {
            // The generations are again what they were before the way back began.
            copy.source = target;
            copy.target = left;
            copy.stage = Stage.ROLLED_BACK;
          }
        });
  }

  private Migration change(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return new Migration(
        table,
        kind,
        copy.source,
        copy.target,
        copy.stage,
        copy.goal,
        copy.turn,
        copy.fence,
        copy.work,
        copy.pace,
        copy.clusters,
        since);
  }

  /** The components that change during a migration. */
  private static final class Copy {
    private TableName source;
    private TableName target;
    private Stage stage;
    private Stage goal;
    private int turn;
    private Fence fence;
    private Work work;
    private Pace pace;
    private Clusters clusters;

    private Copy(Migration migration) {
      source = migration.source;
      target = migration.target;
      stage = migration.stage;
      goal = migration.goal;
      turn = migration.turn;
      fence = migration.fence;
      work = migration.work;
      pace = migration.pace;
      clusters = migration.clusters;
    }
  }
}
