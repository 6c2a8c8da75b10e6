/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardClasses;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.GuardedSince;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Sets what the guard of a physical table allows, and by which indexes it acts: first in the
 * table's descriptor, which regions read when they open, then in all open regions, by one Get each,
 * which is answered when the writes that had passed the guard before are done. As thread-safe as
 * the connections.
 */
public final class GuardControl implements AutoCloseable {
  /** Revisions of one run of a migration begin here, so that no two runs have the same. */
  private static final long REVISIONS_OF_TURN = 1L << 20;

  private static final int ROUNDS = 600;
  private static final long PAUSE_MS = 20;

  private final Connection plain;
  private final AsyncConnection asking;

  private GuardControl(Connection plain, AsyncConnection asking) {
    this.plain = plain;
    this.asking = asking;
  }

  /** Opens a connection for the questions. */
  public static GuardControl open(Connection plain) throws IOException {
    Configuration configuration = EvenkeyConnection.plain(plain.getConfiguration());
    return new GuardControl(
        plain, Futures.get(ConnectionFactory.createAsyncConnection(configuration)));
  }

  /**
   * A region as it was open when it answered.
   *
   * @param openSeqNum another one if the region has opened again, on the same server or elsewhere
   */
  public record Opening(String region, String server, long openSeqNum) {}

  /**
   * The answers of all regions of a table.
   *
   * @param pass the pass of the state that they act by
   * @param openings all regions
   * @param earliestMs the earliest of the servers' clocks, milliseconds since 1970, when the first
   *     region may have acted by the state
   * @param latestAheadMs by how much the latest of the servers' clocks is ahead of this process's
   * @param earliestAheadMs the same of the earliest clock; negative if it is behind
   * @param capabilities those of the guard of all regions
   * @param guarded since when all regions were open with the guard only, by those that know
   */
  public record Acknowledged(
      int pass,
      Set<Opening> openings,
      long earliestMs,
      long latestAheadMs,
      long earliestAheadMs,
      Set<Capability> capabilities,
      GuardedSince guarded) {
    private static Acknowledged of(
        Collection<GuardAnswer> last, Map<GuardAnswer, Long> receivedMs) {
      long earliest = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      long least = Long.MAX_VALUE;
      for (Map.Entry<GuardAnswer, Long> answer : receivedMs.entrySet()) {
        long ahead = answer.getKey().clockMs() - answer.getValue();
        earliest = Math.min(earliest, answer.getKey().clockMs());
        most = Math.max(most, ahead);
        least = Math.min(least, ahead);
      }
      Set<Opening> openings = new HashSet<>();
      int pass = 0;
      Set<Capability> capabilities = EnumSet.allOf(Capability.class);
      GuardedSince guarded = new GuardedSince(0, 0);
      for (GuardAnswer answer : last) {
        capabilities.retainAll(Capability.of(answer));
        guarded = answer.guarded().map(guarded::latest).orElse(guarded);
        openings.add(new Opening(answer.region(), answer.server(), answer.openSeqNum()));
        pass = answer.state().pass();
      }
      return new Acknowledged(
          pass, Set.copyOf(openings), earliest, most, least, Set.copyOf(capabilities), guarded);
    }

    /** A region that opened before it was asked has acted by the state since then. */
    Acknowledged begunAt(long ms) {
      return new Acknowledged(
          pass,
          openings,
          Math.min(earliestMs, ms + earliestAheadMs),
          latestAheadMs,
          earliestAheadMs,
          capabilities,
          guarded);
    }

    /**
     * Whether no region has opened between these answers and later ones, and no clock was set.
     *
     * @param stepMs the largest step by which a clock may have been set
     */
    public boolean isSameRegionsAs(Acknowledged later, long stepMs) {
      return openings.equals(later.openings)
          && openings.stream().allMatch(opening -> opening.openSeqNum() >= 0)
          && Math.abs(latestAheadMs - later.latestAheadMs) < stepMs
          && Math.abs(earliestAheadMs - later.earliestAheadMs) < stepMs;
    }
  }

  /**
   * Whether a generation that clients have left was open without the guard since then, so that rows
   * may have been written into it that no other one has. Not known of one that is disabled.
   *
   * @throws GuardException if a region of it has no guard now
   */
  public boolean isLeftUnguarded(TableName generation) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (!admin.tableExists(generation) || admin.isTableDisabled(generation)) {
        return false;
      }
    }
    GuardState state = state(generation);
    return state.mode() == GuardMode.CLOSED && ask(generation, 0).guarded().pass() > state.pass();
  }

  /** The state in a table's descriptor. */
  public GuardState state(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableGuard.state(admin.getDescriptor(table));
    }
  }

  /**
   * Changes what the guard of a table allows, and returns when all regions act by the new state.
   *
   * @param turn the run of the migration that does this; of another command, the turn of the last
   *     migration when the command began
   * @throws GuardException if a later run has taken over, or a region has no guard
   */
  public Acknowledged apply(TableName table, long turn, StateChange change) throws IOException {
    long revision;
    long begunMs = System.currentTimeMillis();
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(table);
      GuardState before = TableGuard.state(now);
      if (before.turn() > turn) {
        throw takenOver(table, before.turn());
      }
      GuardState wanted = change.state(before);
      revision = Math.max(before.revision() + 1, turn * REVISIONS_OF_TURN);
      GuardState next =
          new GuardState(revision, wanted.mode(), wanted.pass(), turn, wanted.other());
      TableGuard.store(admin, TableGuard.with(change.rest(now), next));
    }
    return ask(table, revision).begunAt(begunMs);
  }

  /**
   * Returns when all regions act by the state in the table's descriptor. A command that was killed
   * after it changed the descriptor may have left regions that act by an earlier state.
   *
   * @throws GuardException if a region has no guard, and the state is not the first one
   */
  public void settle(TableName table) throws IOException {
    long revision = state(table).revision();
    if (revision > GuardState.REST.revision()) {
      ask(table, revision);
    }
  }

  private static GuardException takenOver(TableName table, long turn) {
    return new GuardException(
        "another run has taken over the migration: table=" + table + " turn=" + turn);
  }

  /** Why a table cannot be migrated with the guard: empty if it can. */
  public Optional<GuardException> missing(TableName table) throws IOException {
    try {
      checkInstalled(table);
      return Optional.empty();
    } catch (GuardException e) {
      return Optional.of(e);
    }
  }

  /**
   * Checks that the guard is in all regions of a table, and in the master.
   *
   * @return the answers of the regions
   * @throws GuardException if not
   */
  public Acknowledged checkInstalled(TableName table) throws IOException {
    Acknowledged all = ask(table, 0);
    try (Admin admin = plain.getAdmin()) {
      List<String> master =
          admin
              .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER_COPROCESSORS))
              .getMasterCoprocessorNames();
      if (!GuardClasses.isIn(master, GuardClasses.MASTER)) {
        throw new GuardException(
            FailureMessage.of(
                    "master without the guard of table descriptors, which live migrations and"
                        + " indexes need")
                .with("class", GuardClasses.MASTER)
                .remedy(Remedy.INSTALL_GUARD));
      }
    }
    return all;
  }

  /**
   * Checks that the guard is in all regions of a table and in the master, and can do something.
   *
   * @throws GuardException if not
   */
  public void check(TableName table, Capability capability) throws IOException {
    if (!checkInstalled(table).capabilities().contains(capability)) {
      throw new GuardException(
          FailureMessage.of("guard of an earlier version, which " + capability.lack())
              .with("table", table)
              .remedy(
                  "update evenkey-server on all region servers and masters: "
                      + Remedy.SHOW_SERVERS));
    }
  }

  /**
   * Asks all regions, of which some may split, merge or move until they have answered.
   *
   * @param revision of the state that they have to act by
   */
  public Acknowledged ask(TableName table, long revision) throws IOException {
    Map<GuardAnswer, Long> receivedMs = new HashMap<>();
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
        return Acknowledged.of(answered.values(), receivedMs);
      }
      if (round > 1) {
        pause();
      }
      List<CompletableFuture<Result>> results = new ArrayList<>(missing.size());
      for (OpenRegion region : missing) {
        results.add(asked.get(GuardQuestion.to(region.info(), revision)));
      }
      for (CompletableFuture<Result> result : results) {
        GuardAnswer answer = answer(table, Futures.get(result));
        if (answer.state().revision() >= revision) {
          answered.put(answer.region(), answer);
          receivedMs.put(answer, System.currentTimeMillis());
        }
      }
    }
    throw new GuardException(
        table,
        "regions have not adopted the new state of the guard",
        "revision=" + revision,
        "make sure that all regions are open, then go on");
  }

  private static GuardAnswer answer(TableName table, Result result) throws IOException {
    return GuardQuestion.answer(table, result)
        .orElseThrow(
            () ->
                new GuardException(
                    table,
                    "region without the guard, which live migrations and indexes need",
                    "",
                    Remedy.SHOW_SERVERS + ", and " + Remedy.INSTALL_GUARD + " on the others"));
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the state of a table is set");
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
