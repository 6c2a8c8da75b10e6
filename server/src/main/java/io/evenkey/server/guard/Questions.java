/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.KeyHistory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the questions of clients and migrations about one region. An answer with the revision
 * that was asked for says that no write by an earlier one is under way any more.
 *
 * @param region the encoded name of the region
 * @param server the name of the region server
 * @param openSeqNum the region's open sequence number, which it has when it is open
 * @param opens since when the region was open with the guard only
 * @param reread when a refused request last had the descriptor read, by {@link System#nanoTime}
 */
record Questions(
    String region,
    String server,
    LongSupplier openSeqNum,
    Gate gate,
    DescriptorReader descriptor,
    Refusals refusals,
    GuardedOpens opens,
    AtomicLong reread) {
  private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

  /** The time for which a question waits for writes under way, shorter than a client's timeout. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The shortest time between two reads of the descriptor that requests cause. */
  private static final Duration REREAD = Duration.ofMillis(200);

  private static final String VERSION =
      Objects.requireNonNullElse(Questions.class.getPackage().getImplementationVersion(), "");

  /**
   * The answer.
   *
   * @param revision read the descriptor again if that of the region is earlier than this
   * @throws RegionTooBusyException if writes by earlier rules take longer than {@link #PATIENCE}
   */
  GuardAnswer answer(long revision) throws IOException {
    if (revision > gate.rules().revision()) {
      refresh(revision);
    }
    if (revision > 0) {
      settle();
    }
    TableRules rules = gate.rules();
    GuardState state = rules.state();
    if (state == null) {
      throw refusals.of(Outcome.UNREADABLE, rules, true);
    }
    String layout = rules.text().layout();
    // The answer is made of lines.
    return new GuardAnswer(
        layout == null ? "" : layout.replace('\n', ' '),
        state,
        region,
        EnvironmentEdgeManager.currentTime(),
        server,
        VERSION,
        openSeqNum.getAsLong(),
        true,
        Optional.of(rules.text().indexes().replace('\n', ' ')),
        KeyHistory.of(rules.text().keyChanged()),
        Optional.ofNullable(rules.text().indexedTable()),
        Optional.ofNullable(opens.since(rules)));
  }

  /**
   * Reads the descriptor again, because a request was refused that names another layout or other
   * indexes: the client may know a later state than the region, and the command that set it may be
   * dead. Not more often than each {@link #REREAD}.
   */
  private void follow() {
    long now = System.nanoTime();
    long last = reread.get();
    if (now - last >= REREAD.toNanos() && reread.compareAndSet(last, now)) {
      try {
        refresh(gate.rules().revision() + 1);
      } catch (IOException e) {
        LOG.debug("descriptor not read after a refusal: region={}", region, e);
      }
    }
  }

  /**
   * The refusal of a request; see {@link Refusals#of}.
   *
   * @param stamped whether the request names a layout
   */
  IOException refused(Outcome outcome, TableRules rules, boolean stamped) {
    if (outcome == Outcome.LAYOUT) {
      follow();
    }
    return refusals.of(outcome, rules, stamped);
  }

  /**
   * The refusal of a request that names no layout, for one of its rows; see {@link Refusals#ofRow}.
   */
  IOException refused(Outcome outcome, TableRules rules, byte[] row, String problem) {
    return refusals.ofRow(outcome, rules, row, problem);
  }

  /** The error for a row that another cluster replicates; see {@link Refusals#ofReplicatedRow}. */
  IOException refusedReplicated(
      Outcome outcome, TableRules rules, Mutation mutation, @Nullable String problem) {
    return refusals.ofReplicatedRow(outcome, rules, mutation, problem);
  }

  /**
   * The error for files that another cluster replicates; see {@link Refusals#ofReplicatedFiles}.
   */
  IOException refusedFiles(TableRules rules, Get question) {
    return refusals.ofReplicatedFiles(rules, question);
  }

  /** Returns these questions with the descriptor as it is now. */
  Questions afresh() throws IOException {
    return new Questions(
        region,
        server,
        openSeqNum,
        new Gate(descriptor.read()),
        descriptor,
        refusals,
        opens,
        reread);
  }

  private void refresh(long revision) throws IOException {
    synchronized (gate) {
      TableRules now = gate.rules();
      if (revision <= now.revision()) {
        return;
      }
      TableRules found = descriptor.read();
      boolean older = found.state() != null && found.revision() < now.revision();
      if (!older && !found.text().equals(now.text())) {
        opens.follow(now, found);
        gate.change(found);
      }
    }
  }

  private void settle() throws IOException {
    try {
      if (!gate.settle(PATIENCE)) {
        throw new RegionTooBusyException(
            "writes that began before the table's state changed are not done yet: region="
                + region);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while writes ended: region=" + region);
    }
  }
}
