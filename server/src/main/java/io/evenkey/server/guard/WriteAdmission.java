/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.ReplicatedWrites;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Admits the mutations of one region, batch by batch. A batch that is admitted goes by the rules of
 * that moment until it {@linkplain #end ends}. Thread-safe.
 */
final class WriteAdmission {
  private final HRegion region;
  private final @Nullable UUID cluster;
  private final IndexedPuts indexedPuts;
  private final SinkRecord record;
  private volatile long admittedMs;
  private volatile long refusedMs;
  private volatile String refusedLayout = "";

  /**
   * Admits to a region.
   *
   * @param cluster the region's own; null if it is not known
   */
  WriteAdmission(HRegion region, @Nullable UUID cluster) {
    this.region = region;
    this.cluster = cluster;
    this.indexedPuts = new IndexedPuts(region);
    this.record = new SinkRecord(region);
  }

  /** The writes of HBase's replication. */
  ReplicatedWrites replicated() throws IOException {
    return new ReplicatedWrites(record.sinceMs(), admittedMs, refusedMs, refusedLayout);
  }

  /** The record of these writes. */
  SinkRecord record() {
    return record;
  }

  /**
   * Admits a batch.
   *
   * @throws IOException if a mutation is refused; nothing is held then
   */
  void admit(MiniBatchOperationInProgress<Mutation> batch, Questions questions) throws IOException {
    Gate.Epoch epoch = questions.gate().enter();
    boolean held = false;
    RowClaims.OfBatch claims = null;
    try {
      NewMarks marks = check(batch, epoch, questions);
      // After it: a client of another version of the indexes has to look them up.
      MutableIndexes indexes = epoch.rules().mutableIndexes();
      claims = indexes == null ? null : indexedPuts.check(batch, indexes);
      Passes.ofThread().hold(batch, epoch, marks, claims);
      held = true;
    } finally {
      if (!held) {
        if (claims != null) {
          claims.giveBack();
        }
        epoch.leave();
      }
    }
  }

  private @Nullable NewMarks check(
      MiniBatchOperationInProgress<Mutation> batch, Gate.Epoch epoch, Questions questions)
      throws IOException {
    NewMarks marks = null;
    StoredRows rows = null;
    for (int i = 0; i < batch.size(); i++) {
      // The others will not be written: an increment that is repeated, a family that is not there.
      if (batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.NOT_RUN) {
        Mutation mutation = batch.getOperation(i);
        TableRules rules = epoch.rules();
        Outcome outcome;
        if (isNamed(mutation)) {
          outcome = check(mutation, rules, questions);
        } else {
          SourceLayout source = isReplicated(mutation) ? SourceLayout.of(mutation) : null;
          if (source != null && isLate(mutation, source, rules)) {
            batch.setOperationStatus(i, OperationStatus.SUCCESS);
            continue;
          } else if (source != null && rules.awaitsStep(source, mutation.getRow())) {
            // Alone: the step may have to wait for the rest of the batch, such as a delete.
            batch.setOperationStatus(i, await(mutation, source, rules, questions));
            continue;
          }
          rows = rows == null && rules.checks(null, null, false) ? rules.rows() : rows;
          outcome = checkUnnamed(mutation, source, rules, rows, questions);
        }
        if (outcome == Outcome.MARKED) {
          marks = mark(batch, i, epoch, marks);
        }
      }
    }
    return marks;
  }

  private static boolean isNamed(Mutation mutation) {
    return mutation.getAttribute(GuardAttributes.LAYOUT) != null
        || mutation.getAttribute(GuardAttributes.MIGRATION) != null;
  }

  // What is replicated after the rows of both clusters were compared changes no row.
  private static boolean isLate(Mutation mutation, SourceLayout source, TableRules rules) {
    byte[] told = mutation.getAttribute(GuardAttributes.SOURCE_TURN);
    boolean hasTurn = told != null && told.length == Long.BYTES;
    long turn = hasTurn ? GuardAttributes.number(told) : 0;
    return (hasTurn ? rules.hasArrived(turn) : rules.hasArrived(source))
        || rules.precedesStep(source, turn, mutation.getRow());
  }

  private OperationStatus await(
      Mutation mutation, SourceLayout source, TableRules rules, Questions questions) {
    refuses(source);
    IOException refusal = questions.refusedReplicated(Outcome.FOREIGN, rules, mutation, null);
    return new OperationStatus(
        OperationStatusCode.SANITY_CHECK_FAILURE, String.valueOf(refusal.getMessage()));
  }

  /**
   * Checks a mutation of a client without Evenkey, or of one that takes the table for a plain one.
   *
   * @param source the layout at the cluster that replicates it; null if none does
   */
  private Outcome checkUnnamed(
      Mutation mutation,
      @Nullable SourceLayout source,
      TableRules rules,
      @Nullable StoredRows rows,
      Questions questions)
      throws IOException {
    boolean admitted = false;
    try {
      Outcome outcome = check(mutation, rules, questions);
      boolean raw = mutation.getAttribute(GuardAttributes.RAW) != null;
      if (rows != null && rules.checks(TableRules.layoutOf(mutation), null, raw)) {
        checkRaw(mutation, source, rules, rows, questions);
      }
      if (source != null) {
        replicates();
      }
      admitted = true;
      return outcome;
    } finally {
      if (!admitted && source != null) {
        refuses(source);
      }
    }
  }

  /** Replication writes. */
  void replicates() throws IOException {
    record.keep();
    admittedMs = EnvironmentEdgeManager.currentTime();
  }

  /** Replication is refused. */
  void refuses(SourceLayout source) {
    String line = source.line();
    refusedLayout = line == null ? "" : line;
    refusedMs = EnvironmentEdgeManager.currentTime();
  }

  /**
   * Answers whether replication may bring files.
   *
   * @throws IOException if they are of another layout
   */
  void checkFiles(Get question, Questions questions) throws IOException {
    SourceLayout source = SourceLayout.ofFiles(question);
    TableRules rules = questions.gate().rules();
    if (rules.checksFiles() && rules.isOtherOfFiles(source)) {
      refuses(source);
      throw questions.refusedFiles(rules, question);
    }
  }

  // Replication names the clusters that a mutation has come through, the source first. Import and
  // CopyTable name the cluster that they read from, which may be this one.
  private boolean isReplicated(Mutation mutation) {
    if (mutation.getAttributesMap().isEmpty()) {
      return false;
    }
    List<UUID> clusters = mutation.getClusterIds();
    return !clusters.isEmpty() && !clusters.get(0).equals(cluster);
  }

  /**
   * Whether this thread writes what a migration writes on each cluster by itself: it has the ids of
   * the others, so that HBase does not send it.
   */
  static boolean isOwnCopy() {
    return Passes.ofThread().last() instanceof MiniBatchOperationInProgress<?> batch
        && batch.size() > 0
        && batch.getOperation(0) instanceof Mutation mutation
        && mutation.getAttribute(GuardAttributes.MIGRATION) != null
        && !mutation.getClusterIds().isEmpty();
  }

  /** Whether a bulk load is of replication, which names clusters as in mutations. */
  boolean isReplicated(@Nullable RpcCall call) {
    return call != null
        && call.getParam() instanceof ClientProtos.BulkLoadHFileRequest load
        && load.getClusterIdsCount() > 0
        && !load.getClusterIds(0).equals(String.valueOf(cluster));
  }

  private static Outcome check(Mutation mutation, TableRules rules, Questions questions)
      throws IOException {
    byte[] layout = TableRules.layoutOf(mutation);
    Outcome outcome =
        rules.write(
            layout,
            mutation.getAttribute(GuardAttributes.MIGRATION),
            mutation.getAttribute(GuardAttributes.RAW) != null,
            mutation.getRow());
    if (outcome.allowed() && !isOfEntries(mutation, rules)) {
      outcome = Outcome.ENTRIES;
    }
    if (!outcome.allowed()) {
      throw questions.refused(outcome, rules, layout != null);
    }
    return outcome;
  }

  private static void checkRaw(
      Mutation mutation,
      @Nullable SourceLayout source,
      TableRules rules,
      StoredRows rows,
      Questions questions)
      throws IOException {
    byte[] row = mutation.getRow();
    String problem = rows.problem(row);
    if (source != null) {
      checkReplicated(mutation, source, rules, problem, questions);
    } else if (problem != null) {
      throw questions.refused(Outcome.FOREIGN, rules, row, problem);
    } else if (lacksEntries(mutation, rules)) {
      throw questions.refused(Outcome.INDEXED, rules, row, "");
    }
  }

  // A row of another layout may be one of this layout too, and would be lost when the table is
  // created again under the source's layout: the source does not repeat what was taken.
  private static void checkReplicated(
      Mutation mutation,
      SourceLayout source,
      TableRules rules,
      @Nullable String problem,
      Questions questions)
      throws IOException {
    boolean isForeign = problem != null || rules.isOther(source, mutation.getRow());
    if (isForeign || lacksEntries(mutation, rules)) {
      Outcome outcome = isForeign ? Outcome.FOREIGN : Outcome.INDEXED;
      throw questions.refusedReplicated(outcome, rules, mutation, problem);
    }
  }

  private static boolean lacksEntries(Mutation mutation, TableRules rules) {
    return rules.needsEntries() && rules.indexedColumns().isChangedBy(mutation);
  }

  private static boolean isOfEntries(Mutation mutation, TableRules rules) {
    return rules.text().indexedTable() == null
        || mutation.getAttribute(GuardAttributes.ENTRY) != null
        || mutation.getAttribute(GuardAttributes.RAW) != null
        || mutation.getAttribute(GuardAttributes.MIGRATION) != null;
  }

  private @Nullable NewMarks mark(
      MiniBatchOperationInProgress<Mutation> batch,
      int index,
      Gate.Epoch epoch,
      @Nullable NewMarks marks) {
    GuardState state = epoch.rules().state();
    MarkedRows marked = epoch.marked();
    if (state == null || marked == null) {
      return marks;
    }
    Mutation mutation = batch.getOperation(index);
    if (batch.getOperationsFromCoprocessors(index) == null && marked.contains(mutation.getRow())) {
      return marks;
    }
    ChangeMarks.add(batch, index, state.pass());
    if (!ChangeMarks.last(mutation, region.getTableDescriptor())) {
      return marks;
    }
    NewMarks all = marks == null ? new NewMarks(marked, batch.size()) : marks;
    all.add(index, mutation.getRow());
    return all;
  }

  /** The batch is written, or not; what it held is given back, once. */
  static void end(MiniBatchOperationInProgress<Mutation> batch, boolean success) {
    Passes passes = Passes.ofThread();
    try {
      NewMarks marks = success ? passes.marks(batch) : null;
      if (marks != null) {
        marks.written(batch);
      }
    } finally {
      passes.giveBack(batch);
    }
  }
}
