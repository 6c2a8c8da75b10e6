package io.evenkey.client;

import io.evenkey.client.metrics.ForeignRows;
import io.evenkey.client.metrics.TableMeters;
import io.evenkey.client.registry.Change;
import io.evenkey.client.registry.InForce;
import io.evenkey.client.registry.Membership;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.RegistryException;
import io.evenkey.client.registry.Versioned;
import io.evenkey.layout.Layout;
import io.evenkey.layout.key.RowException;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what a table's descriptor says of its layout with what the registry has recorded and
 * with some of the table's rows, before anything is read or written by it. Connects to the registry
 * when it is first needed. Thread-safe.
 */
final class LayoutTruth implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutTruth.class);

  /** A registry that could not be reached is not tried again for so long. */
  private static final long TRY_AGAIN_AFTER_NANOS = Duration.ofSeconds(30).toNanos();

  private final Configuration configuration;
  private final RowProbe rows;
  private final Consumer<Change> onChange;
  private final RegistryUse use;
  private final CheckSettings settings;

  private @Nullable Registry registry;
  private @Nullable RegistryException failure;
  private long failedAt;
  private volatile @Nullable Membership membership;
  private boolean closed;

  /**
   * @param onChange told when something in the registry changes
   */
  LayoutTruth(Configuration configuration, RowProbe rows, Consumer<Change> onChange) {
    this.configuration = configuration;
    this.rows = rows;
    this.onChange = onChange;
    this.use = RegistryUse.of(configuration);
    this.settings = CheckSettings.of(configuration);
  }

  /**
   * Checks a table's layout.
   *
   * @return the layout, or null if the table has none
   * @throws TableLayoutException if the descriptor and the registry do not agree, or many of the
   *     rows do not fit the layout; a few that do not are counted as foreign
   * @throws IOException if the registry is required and cannot be read
   */
  @Nullable Layout check(TableDescriptor table) throws IOException {
    Layout layout = TableLayout.of(table);
    refuseUnfollowed(table);
    compareWithRegistry(table.getTableName(), layout);
    if (layout != null) {
      compareWithRows(table.getTableName(), layout);
    }
    return layout;
  }

  private void compareWithRegistry(TableName table, @Nullable Layout layout) throws IOException {
    if (use == RegistryUse.OFF) {
      return;
    }
    Optional<InForce> recorded;
    try {
      Registry open = registry();
      recorded = recorded(open, table, layout);
    } catch (RegistryException e) {
      if (use == RegistryUse.REQUIRED) {
        throw e;
      }
      LOG.warn("layout of {} not compared with the registry: {}", table, e.getMessage());
      return;
    }
    if (recorded.isPresent() && !isSame(recorded.get().layout(), layout)) {
      throw TableLayoutException.disagreement(
          table, layout == null ? "none" : layout.toString(), recorded.get().layout());
    }
  }

  /**
   * What makes others wait for this client when they move a table; announced when it is first asked
   * for.
   *
   * @return null if the registry is not used, or cannot be reached and is not required
   * @throws RegistryException if it is required and cannot be reached
   */
  @Nullable Membership membership() throws RegistryException {
    Membership known = membership;
    if (known != null || use == RegistryUse.OFF) {
      return known;
    }
    try {
      synchronized (this) {
        if (membership == null) {
          String version = LayoutTruth.class.getPackage().getImplementationVersion();
          membership = registry().announce(version == null ? "unknown" : version);
        }
        return membership;
      }
    } catch (RegistryException e) {
      if (use == RegistryUse.REQUIRED) {
        throw e;
      }
      LOG.warn("moves of tables are not followed: {}", e.getMessage());
      return null;
    }
  }

  /** The last move of a table, or null if there was none. */
  @Nullable Move move(TableName table) throws RegistryException {
    return registry().move(table).map(Versioned::value).orElse(null);
  }

  private void refuseUnfollowed(TableDescriptor table) throws IOException {
    String target = table.getValue(TableLayout.MOVE);
    if (target != null && membership() == null) {
      throw new TableLayoutException(
          table.getTableName(),
          "table is being moved, or was, and the registry that says how far cannot be asked:"
              + " target="
              + target,
          "check ZooKeeper, and that " + RegistryUse.SETTING + " is not off");
    }
  }

  // The first to see a table records its layout, unless it may not.
  private Optional<InForce> recorded(Registry open, TableName table, @Nullable Layout layout)
      throws RegistryException {
    Optional<InForce> recorded = open.inForce(table);
    if (recorded.isPresent() || layout == null) {
      return recorded;
    }
    try {
      return Optional.of(open.recordFirst(table, layout.toString()));
    } catch (RegistryException e) {
      LOG.info("layout of {} not recorded: {}", table, e.getMessage());
      return Optional.empty();
    }
  }

  private static boolean isSame(String recorded, @Nullable Layout layout) {
    if (layout == null) {
      return false;
    }
    try {
      return Layout.parse(recorded).equals(layout);
    } catch (LayoutException e) {
      return false;
    }
  }

  // Most tables need only one row of each bucket: it fits.
  private void compareWithRows(TableName table, Layout layout) throws IOException {
    Prefix prefix = layout.spread().prefix();
    long buckets = prefix == null || prefix.width() == 0 ? 1 : prefix.count();
    int probes = (int) Math.min(buckets, settings.buckets());
    List<byte[]> starts = new ArrayList<>(probes);
    for (long i = 0; i < probes; i++) {
      starts.add(prefix == null || i == 0 ? new byte[0] : prefix.nth(buckets * i / probes));
    }
    Fitting first = look(table, layout, starts, 1);
    if (first == null || first.foreign.isEmpty()) {
      return;
    }
    Fitting more = look(table, layout, starts, (settings.sample() + probes - 1) / probes);
    Fitting found = more == null ? first : more;
    if (settings.refuses(found.rows, found.foreign.size())) {
      throw new TableLayoutException(
          table,
          "rows that were not written under the table's layout: rows="
              + found.rows
              + " foreign="
              + found.foreign.size()
              + " row="
              + Bytes.toStringBinary(found.foreign.firstKey())
              + " layout="
              + layout
              + " problem="
              + found.foreign.firstEntry().getValue().getMessage(),
          "nothing is read or written by a layout that may be wrong; evenkey verify "
              + table
              + " shows what fits, and "
              + CheckSettings.REFUSE_SHARE
              + " is how large a share of such rows is let pass");
    }
    ForeignRows met = TableMeters.of(cluster(), table.getNameAsString(), layout).foreign();
    found.foreign.forEach(met::met);
  }

  /**
   * How a layout fits some rows.
   *
   * @param rows how many were looked at
   * @param foreign those that do not fit, and why
   */
  private record Fitting(int rows, NavigableMap<byte[], RowException> foreign) {}

  /** Null if rows cannot be read. */
  private @Nullable Fitting look(TableName table, Layout layout, List<byte[]> starts, int each)
      throws InterruptedIOException {
    NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] start : starts) {
      try {
        found.addAll(rows.from(table, start, each));
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        // A user who may only write may not read.
        LOG.info("rows of {} not compared with its layout: {}", table, e.toString());
        return null;
      }
    }
    NavigableMap<byte[], RowException> foreign = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (byte[] row : found) {
      try {
        layout.decode(row);
      } catch (RowException e) {
        foreign.put(row, e);
      }
    }
    return new Fitting(found.size(), foreign);
  }

  private String cluster() {
    return ZKConfig.getZKQuorumServersString(configuration);
  }

  /**
   * What is planned for a table that is about to be created.
   *
   * @throws RegistryException if that cannot be told
   */
  Plan planFor(TableName table) throws RegistryException {
    if (use == RegistryUse.OFF || table.isSystemTable()) {
      return Plan.EMPTY;
    }
    // Not created as if nothing were planned: nobody would notice.
    return registry().planFor(table);
  }

  /** Records the layout of a table that was just created, or that it has none. */
  void record(TableDescriptor table) {
    String line = table.getValue(TableLayout.LAYOUT);
    if (line == null) {
      forget(table.getTableName());
    } else {
      change(table.getTableName(), open -> open.record(table.getTableName(), line));
    }
  }

  /** Forgets a table that was deleted. */
  void forget(TableName table) {
    change(table, open -> open.forget(table));
  }

  @FunctionalInterface
  private interface RegistryChange {
    void in(Registry open) throws RegistryException;
  }

  // The table is what the descriptor says it is: what the registry knows can be mended later.
  private void change(TableName table, RegistryChange change) {
    if (use == RegistryUse.OFF || table.isSystemTable()) {
      return;
    }
    try {
      change.in(registry());
    } catch (RegistryException e) {
      LOG.warn("layout of {} not recorded: {}", table, e.getMessage());
    }
  }

  private synchronized Registry registry() throws RegistryException {
    Registry open = registry;
    if (open != null) {
      return open;
    }
    if (closed) {
      throw RegistryException.closed();
    }
    if (failure != null && System.nanoTime() - failedAt < TRY_AGAIN_AFTER_NANOS) {
      throw failure;
    }
    try {
      open = Registry.open(configuration);
      open.watch(onChange);
      registry = open;
      return open;
    } catch (RegistryException e) {
      failure = e;
      failedAt = System.nanoTime();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (registry != null) {
      registry.close();
      registry = null;
      membership = null;
    }
  }
}
