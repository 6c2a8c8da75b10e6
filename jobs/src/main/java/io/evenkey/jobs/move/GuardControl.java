package io.evenkey.jobs.move;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.TableGuard;
import io.evenkey.client.future.Futures;
import io.evenkey.layout.guard.GuardAnswer;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.GuardState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Sets what the guard of a physical table allows: first in the table's descriptor, which regions
 * read when they open, then in all open regions, by one Get each, which is answered when the writes
 * that had passed the guard before are done. As thread-safe as the connections.
 */
final class GuardControl implements AutoCloseable {
  /** Revisions of one run of a migration begin here, so that no two runs have the same. */
  private static final long REVISIONS_OF_TURN = 1L << 20;

  private static final byte[] ANSWER = Bytes.toBytes(GuardAttributes.ANSWER);
  private static final String MASTER_GUARD = "io.evenkey.server.guard.DescriptorGuard";
  private static final byte[] FIRST_ROW = {0};
  private static final int ROUNDS = 600;
  private static final long PAUSE_MS = 20;

  private final Connection plain;
  private final AsyncConnection asking;

  private GuardControl(Connection plain, AsyncConnection asking) {
    this.plain = plain;
    this.asking = asking;
  }

  /** Opens a connection for the questions. */
  static GuardControl open(Connection plain) throws IOException {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.unset(EvenkeyConnection.SETTING);
    configuration.unset(EvenkeyAsyncConnection.SETTING);
    return new GuardControl(
        plain, Futures.get(ConnectionFactory.createAsyncConnection(configuration)));
  }

  /**
   * What all regions of a table have answered.
   *
   * @param answers of each region
   * @param earliestMs the earliest of the servers' clocks, milliseconds since 1970, when the first
   *     region may have acted by the state
   * @param latestAheadMs by how much the latest of the servers' clocks is ahead of this process's
   * @param earliestAheadMs the same of the earliest clock; negative if it is behind
   */
  record Acknowledged(
      List<GuardAnswer> answers, long earliestMs, long latestAheadMs, long earliestAheadMs) {
    static Acknowledged of(Map<GuardAnswer, Long> answers) {
      long earliest = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      long least = Long.MAX_VALUE;
      for (Map.Entry<GuardAnswer, Long> answer : answers.entrySet()) {
        long ahead = answer.getKey().clockMs() - answer.getValue();
        earliest = Math.min(earliest, answer.getKey().clockMs());
        most = Math.max(most, ahead);
        least = Math.min(least, ahead);
      }
      return new Acknowledged(List.copyOf(answers.keySet()), earliest, most, least);
    }

    /** A region that opened before it was asked has acted by the state since then. */
    Acknowledged begunAt(long ms) {
      return new Acknowledged(
          answers, Math.min(earliestMs, ms + earliestAheadMs), latestAheadMs, earliestAheadMs);
    }
  }

  /** The state in a table's descriptor. */
  GuardState state(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableGuard.state(admin.getDescriptor(table));
    }
  }

  /**
   * Changes the state of a table, and returns when all regions act by the new one.
   *
   * @param turn the run of the migration that does this
   * @param change what the next state is; its revision is set here
   * @throws MoveException if a later run has taken over, or a region has no guard
   */
  Acknowledged set(TableName table, long turn, UnaryOperator<GuardState> change)
      throws IOException {
    long revision;
    long begunMs = System.currentTimeMillis();
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(table);
      GuardState before = TableGuard.state(now);
      if (before.turn() > turn) {
        throw takenOver(table, before.turn());
      }
      GuardState wanted = change.apply(before);
      revision = Math.max(before.revision() + 1, turn * REVISIONS_OF_TURN);
      GuardState next =
          new GuardState(revision, wanted.mode(), wanted.pass(), turn, wanted.other());
      Generations.change(admin, TableGuard.with(now, next));
    }
    return ask(table, revision).begunAt(begunMs);
  }

  private static MoveException takenOver(TableName table, long turn) {
    return new MoveException(
        "another run has taken over the migration: table=" + table + " turn=" + turn);
  }

  /**
   * Checks that the guard is in all regions of a table, and in the master.
   *
   * @throws MoveException if not
   */
  void checkInstalled(TableName table) throws IOException {
    ask(table, 0);
    try (Admin admin = plain.getAdmin()) {
      boolean master =
          admin
              .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER_COPROCESSORS))
              .getMasterCoprocessorNames()
              .stream()
              .anyMatch(name -> MASTER_GUARD.endsWith(name));
      if (!master) {
        throw new MoveException(
            "master without the guard of table descriptors, which a live migration needs: class="
                + MASTER_GUARD
                + "; evenkey server install says how to add it");
      }
    }
  }

  /**
   * Asks all regions, of which some may split, merge or move meanwhile.
   *
   * @param revision of the state that they have to act by
   */
  Acknowledged ask(TableName table, long revision) throws IOException {
    Map<GuardAnswer, Long> clocks = new HashMap<>();
    Map<String, GuardAnswer> answered = new HashMap<>();
    AsyncTable<?> asked = asking.getTable(table);
    for (int round = 0; round < ROUNDS; round++) {
      List<OpenRegion> missing = new ArrayList<>();
      for (OpenRegion region : OpenRegion.of(plain, table)) {
        GuardAnswer answer = answered.get(region.info().getEncodedName());
        // A server that does not know yet that it has lost the region may have answered: meta says
        // since before another one opened it.
        if (answer == null || !answer.server().equals(region.server())) {
          missing.add(region);
        }
      }
      if (missing.isEmpty()) {
        return Acknowledged.of(clocks);
      }
      if (round > 1) {
        pause();
      }
      List<CompletableFuture<Result>> results = new ArrayList<>(missing.size());
      for (OpenRegion region : missing) {
        results.add(asked.get(question(region.info(), revision)));
      }
      for (CompletableFuture<Result> result : results) {
        GuardAnswer answer = answer(table, Futures.get(result));
        if (answer.state().revision() >= revision) {
          answered.put(answer.region(), answer);
          clocks.put(answer, System.currentTimeMillis());
        }
      }
    }
    throw new MoveException(
        "regions do not act by the state of the migration: table="
            + table
            + " revision="
            + revision
            + "; see that all regions are open, then --resume");
  }

  private static Get question(RegionInfo region, long revision) {
    byte[] start = region.getStartKey();
    Get get = new Get(start.length == 0 ? FIRST_ROW : start).setCacheBlocks(false);
    get.setAttribute(GuardAttributes.ASK, GuardAttributes.number(revision));
    return get;
  }

  private static GuardAnswer answer(TableName table, Result result) throws MoveException {
    Cell cell = result.getColumnLatestCell(ANSWER, ANSWER);
    if (cell == null) {
      throw new MoveException(
          "region without the guard, which a live migration needs: table="
              + table
              + "; evenkey server status shows which servers have it, evenkey server install says"
              + " how to add it");
    }
    return GuardAnswer.parse(CellUtil.cloneValue(cell));
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the state of a migration is set");
    }
  }

  @Override
  public void close() throws IOException {
    asking.close();
  }

  @Override
  public String toString() {
    return "guards by " + asking;
  }
}
