/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.filter.FilterMapping;
import io.evenkey.client.internal.filter.FilteredRows;
import io.evenkey.client.internal.gather.GatherServers;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.client.internal.metrics.TableMeters.Operation;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.QueryMetricsSetting;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * Carries operations to the physical side, for one layout; its {@linkplain #results results} carry
 * the answers back. Immutable but for the {@linkplain GatherServers servers} of its short scans.
 * Thread-safe.
 */
public final class RowMapping {
  /** The mapping of tables without a layout, which changes nothing. */
  public static final RowMapping NONE = of(Layout.parse("key:bytes"));

  /** As {@link #NONE}, where region servers have the guard, which reads tell so. */
  public static final RowMapping GUARDED_NONE = NONE.namingPlain();

  private final Layout layout;
  private final Set<String> rowBlindFilters;
  private final @Nullable TableMeters meters;
  private final LogicalResults results;
  private final RequestStamps stamps;

  // Null if the table has none.
  private final @Nullable IndexWrites indexes;

  // Whether the entries of the rows that are written are there before.
  private final boolean afterEntries;

  private final RowMapping withEntries;

  // Scans with a filter may be too long for a request where others are not.
  private final @Nullable GatherServers servers;
  private final @Nullable GatherServers serversForFilters;

  private RowMapping(
      Layout layout,
      RequestStamps stamps,
      @Nullable IndexWrites indexes,
      boolean afterEntries,
      Set<String> rowBlindFilters,
      @Nullable TableMeters meters,
      boolean gatheredByServers) {
    this.layout = layout;
    this.stamps = stamps;
    this.indexes = indexes;
    this.afterEntries = afterEntries;
    this.withEntries =
        indexes == null || afterEntries
            ? this
            : new RowMapping(layout, stamps, indexes, true, rowBlindFilters, meters, false);
    this.rowBlindFilters = Set.copyOf(rowBlindFilters);
    this.meters = meters;
    boolean evenly = isEven(layout);
    this.servers = gatheredByServers ? new GatherServers(evenly) : null;
    this.serversForFilters = gatheredByServers ? new GatherServers(evenly) : null;
    this.results =
        meters == null ? LogicalResults.of(layout) : LogicalResults.of(layout, meters.foreign());
  }

  // Rows of one slice are in its buckets by a hash of the whole key.
  private static boolean isEven(Layout layout) {
    Prefix prefix = layout.spread().prefix();
    return prefix != null && prefix.fields().size() == (layout.slices().isNone() ? 0 : 1);
  }

  /** The mapping of a layout. */
  public static RowMapping of(Layout layout) {
    return of(layout, Set.of(), null);
  }

  /**
   * The mapping of a layout.
   *
   * @param rowBlindFilters names of classes of an application's own filters that never look at the
   *     row, and keep nothing from row to row
   * @param meters counts operations; null not to count
   */
  public static RowMapping of(
      Layout layout, Set<String> rowBlindFilters, @Nullable TableMeters meters) {
    // Where no logical key has two rows.
    boolean gathers = layout.spread().isPrefixOnly() && !layout.spread().isRandom();
    return new RowMapping(
        layout,
        RequestStamps.of(layout, TableIndexes.NONE),
        null,
        false,
        rowBlindFilters,
        meters,
        gathers);
  }

  /**
   * This mapping for a table with indexes, which refuses writes that go past them.
   *
   * @param known the table's indexes, at least one
   */
  public RowMapping withIndexes(IndexWrites known) {
    return with(RequestStamps.of(layout, known.indexes()), known, false, servers != null);
  }

  private RowMapping with(
      RequestStamps stamped, @Nullable IndexWrites known, boolean written, boolean gathered) {
    return new RowMapping(layout, stamped, known, written, rowBlindFilters, meters, gathered);
  }

  /** This mapping for rows whose entries are written, so that their writes are not refused. */
  public RowMapping afterEntries() {
    return withEntries;
  }

  /** The indexes of the table; null if it has none. */
  public @Nullable IndexWrites indexes() {
    return indexes;
  }

  /** Whether requests by the other one are made by the same layout and for the same indexes. */
  public boolean isLike(RowMapping other) {
    return layout.equals(other.layout) && Objects.equals(indexes, other.indexes);
  }

  private void refusePastIndexes(Operation operation) throws IndexRefusedException {
    IndexWrites known = indexes;
    if (known != null && !afterEntries) {
      RefusalCounts.count("index");
      throw known.pastIndexes(operation.action());
    }
  }

  /**
   * This mapping for requests of a run of a migration, which the guard lets pass in every stage.
   *
   * @param turn the number of the run
   */
  public RowMapping ofMigration(long turn) {
    // A migration carries entries along by itself, or refuses the table.
    return with(stamps.withTurn(turn), indexes, true, servers != null);
  }

  /** This mapping for region servers without Evenkey's module. */
  public RowMapping gatheredByClient() {
    return with(stamps, indexes, afterEntries, false);
  }

  /** The region servers that may be asked for the first rows of a scan; null if none can gather. */
  public @Nullable GatherServers servers(boolean filtered) {
    return filtered ? serversForFilters : servers;
  }

  /**
   * This mapping of a table whose layout leaves rows as they are, or that has none: its reads say
   * so, and are refused once the table has another one.
   */
  public RowMapping namingPlain() {
    return with(stamps.namingPlain(), indexes, afterEntries, servers != null);
  }

  /** Names the layout in a request that is not the caller's, for the guard of region servers. */
  public <T extends OperationWithAttributes> T stamped(T request) {
    return stamps.set(request);
  }

  /**
   * A scan of rows that are stored under their logical keys.
   *
   * @return the caller's, or a copy that names the layout
   */
  public Scan stored(Scan scan) throws IOException {
    return stamps.areNone() ? scan : stamped(new Scan(scan));
  }

  /** Whether mutations are the caller's own objects. */
  public boolean leavesWrites() {
    return layout.isPlain() && stamps.areNone();
  }

  private void count(Operation operation, byte[] row, int mutations) {
    TableMeters counted = meters;
    if (counted != null) {
      counted.count(operation, row, mutations);
    }
  }

  /** The layout that rows are mapped by. */
  public Layout layout() {
    return layout;
  }

  /** Puts the answers to requests under logical keys. */
  public LogicalResults results() {
    return results;
  }

  /** Whether the table has a layout. */
  public boolean hasLayout() {
    return this != NONE && this != GUARDED_NONE;
  }

  /** Whether rows stay as they are. */
  public boolean isPlain() {
    return layout.isPlain();
  }

  /** Whether a row may be in any bucket, whatever its key. */
  public boolean isRandom() {
    return layout.spread().isRandom();
  }

  /**
   * The physical row of a logical key.
   *
   * @throws IllegalArgumentException if the key does not fit the layout, or the row would be longer
   *     than HBase allows
   */
  public byte[] physical(byte[] logical) {
    byte[] row = layout.physical(logical);
    if (row.length > HConstants.MAX_ROW_LENGTH) {
      throw new EvenkeyArgumentException(
          "row too long: bytes="
              + row.length
              + " prefix="
              + layout.spread().width()
              + " key="
              + ByteText.printable(logical, 0, 32)
              + "…; HBase allows "
              + HConstants.MAX_ROW_LENGTH
              + ", the prefix included");
    }
    return row;
  }

  /**
   * The filter of a scan, for physical rows with the prefix that one of them has.
   *
   * @param oneRange whether all rows of the scan are in one physical range
   * @throws io.evenkey.client.failure.UnsupportedFilterException if there is none
   */
  public Filter physicalFilter(Scan scan, byte[] row, boolean oneRange) {
    return physical(scan.getFilter(), row, FilteredRows.ofScan(oneRange, scan.isReversed()));
  }

  private Filter physical(Filter filter, byte[] row, FilteredRows rows) {
    if (layout.isPlain()) {
      return filter;
    }
    return FilterMapping.of(layout.spread(), row, rowBlindFilters, rows).physical(filter);
  }

  /**
   * Makes a read one of the physical row.
   *
   * @throws IllegalArgumentException if the read has a filter that cannot be had on a spread row;
   *     or if the layout chooses buckets at random: it is not known in which one the row is
   */
  public Get physical(Get get) throws IOException {
    if (layout.isPlain() && stamps.areNone()) {
      return get;
    }
    if (layout.spread().isRandom()) {
      RefusalCounts.count("random-salt");
      throw new EvenkeyArgumentException(
          "read of one row under a random salt: layout="
              + layout
              + "; the row may be in any bucket: get it alone through HBase's Table, or scan this"
              + " one key");
    }
    byte[] row = physical(get.getRow());
    Get physical = at(row, get, FilteredRows.ONE_RANGE);
    count(Operation.GET, row, 0);
    return physical;
  }

  /**
   * Makes a read one of every physical row that a logical key can have under a random salt.
   *
   * @throws IllegalArgumentException if the read counts columns, which it would do in each row
   *     apart; or if it has a filter that cannot be had on a spread row
   */
  public List<Get> physicalEverywhere(Get get) throws IOException {
    if (QueryMetricsSetting.isIn(get)) {
      RefusalCounts.count("random-salt");
      throw new EvenkeyArgumentException(
          "query metrics of a get under a random salt: layout="
              + layout
              + "; the row is read in all buckets: leave them out, or scan this one key");
    }
    if (get.getMaxResultsPerColumnFamily() >= 0 || get.getRowOffsetPerColumnFamily() > 0) {
      throw new EvenkeyArgumentException(
          "limit or offset of columns in a read under a random salt: layout="
              + layout
              + "; it would apply to each bucket separately: read all columns of the families");
    }
    List<Get> everywhere = new ArrayList<>();
    for (KeyRange row : layout.scatter(KeyRange.point(get.getRow())).ranges()) {
      everywhere.add(at(row.start(), get, FilteredRows.PARTS_OF_A_ROW));
    }
    count(Operation.GET, everywhere.get(0).getRow(), 0);
    return everywhere;
  }

  /**
   * Makes a mutation one of the physical row; its cells are views of the given ones.
   *
   * @throws IllegalArgumentException if the layout chooses buckets at random, and it is no put: the
   *     row may be in several
   */
  @SuppressWarnings("unchecked") // a copy is of the same type
  public <M extends Mutation> M physical(M mutation) throws IndexRefusedException {
    if (leavesWrites()) {
      return mutation;
    }
    Operation operation = Operation.of(mutation);
    refusePastIndexes(operation);
    byte[] row = only(mutation.getRow(), operation);
    M physical = (M) stamped(RequestCopy.mutation(mutation, row));
    count(operation, row, 1);
    return physical;
  }

  /**
   * Makes mutations those of the physical row.
   *
   * @throws IllegalArgumentException if the layout chooses buckets at random: the row may be in
   *     several
   */
  public RowMutations physical(RowMutations mutations) throws IOException {
    if (leavesWrites()) {
      return mutations;
    }
    refusePastIndexes(Operation.MUTATIONS);
    byte[] row = only(mutations.getRow(), Operation.MUTATIONS);
    RowMutations physical = at(row, mutations);
    count(Operation.MUTATIONS, row, mutations.getMutations().size());
    return physical;
  }

  /**
   * Makes a check and change one of the physical row; a filter of the check sees logical keys.
   *
   * @throws io.evenkey.client.failure.UnsupportedFilterException if the check has a filter that
   *     cannot be had on a spread row
   * @throws IllegalArgumentException if the layout chooses buckets at random: the row may be in
   *     several
   */
  public CheckAndMutate physical(CheckAndMutate check) throws IOException {
    if (layout.isPlain() && stamps.areNone()) {
      return check;
    }
    refusePastIndexes(Operation.CHECK);
    byte[] row = only(check.getRow(), Operation.CHECK);
    Filter filter =
        check.hasFilter() ? physical(check.getFilter(), row, FilteredRows.ONE_RANGE) : null;
    Row action = at(row, check.getAction());
    CheckAndMutate physical = RequestSettings.check(check, row, filter, action);
    int mutations = action instanceof RowMutations several ? several.getMutations().size() : 1;
    count(Operation.CHECK, row, mutations);
    return physical;
  }

  /**
   * Makes an action, whatever it is, one on the physical row.
   *
   * @throws IllegalArgumentException if it cannot be done on a spread table, or is of an unknown
   *     kind
   */
  public Row physical(Row action) throws IOException {
    if (action instanceof Get get) {
      return physical(get);
    } else if (action instanceof Mutation mutation) {
      return physical(mutation);
    } else if (action instanceof RowMutations mutations) {
      return physical(mutations);
    } else if (action instanceof CheckAndMutate check) {
      return physical(check);
    }
    throw RequestSettings.unknown(action);
  }

  /** As {@link #physical(Row)}, of each of several actions. */
  @SuppressWarnings("unchecked") // a physical action is of the same type
  public <A extends Row> List<A> physical(List<A> actions) throws IOException {
    List<A> physical = new ArrayList<>(actions.size());
    for (A action : actions) {
      // HBase rejects null in its own way.
      physical.add(action == null ? action : (A) physical((Row) action));
    }
    return physical;
  }

  private Get at(byte[] row, Get get, FilteredRows rows) {
    Filter filter = get.getFilter();
    return stamped(
        RequestSettings.get(get, row, filter == null ? null : physical(filter, row, rows)));
  }

  private Row at(byte[] row, Row action) throws IOException {
    if (action instanceof RowMutations mutations) {
      return at(row, mutations);
    } else if (action instanceof Mutation mutation) {
      return stamped(RequestCopy.mutation(mutation, row));
    }
    throw RequestSettings.unknown(action);
  }

  private RowMutations at(byte[] row, RowMutations mutations) throws IOException {
    RowMutations all = new RowMutations(row);
    for (Mutation mutation : mutations.getMutations()) {
      all.add(stamped(RequestCopy.mutation(mutation, row)));
    }
    return all;
  }

  /** The physical row, where one logical key has only one; that of a put where it has several. */
  private byte[] only(byte[] logical, Operation operation) {
    if (layout.spread().isRandom() && operation != Operation.PUT) {
      RefusalCounts.count("random-salt");
      throw new EvenkeyArgumentException(
          operation.action()
              + " under a random salt: layout="
              + layout
              + "; the row may be in any bucket, and in several: only Put and Scan can be done");
    }
    return physical(logical);
  }

  /**
   * A mutation as its caller knows it, of one that was made here: another object that says the
   * same.
   */
  public Row logical(Row physical) {
    if (leavesWrites()) {
      return physical;
    }
    byte[] row = layout.logical(physical.getRow());
    return physical instanceof Mutation mutation
        ? stamps.remove(RequestCopy.mutation(mutation, row))
        : physical;
  }
}
