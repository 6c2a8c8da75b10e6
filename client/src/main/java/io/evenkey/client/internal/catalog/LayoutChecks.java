/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.metrics.ForeignRows;
import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.RowException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the layout by which a connection uses a table with some of the table's rows, when the
 * table is first used: in the background, or before the first operation, or not at all, as {@link
 * CheckSettings} says. Before the first operation, it is also compared with the registry's record;
 * in the background it is not, so that clients need no session with ZooKeeper. What the user may
 * not read is not compared. Thread-safe.
 */
final class LayoutChecks {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutChecks.class);

  private final Configuration configuration;
  private final RegistryAccess registry;
  private final RowProbe rows;
  private final CheckSettings settings;

  LayoutChecks(Configuration configuration, RegistryAccess registry, RowProbe rows) {
    this.configuration = configuration;
    this.registry = registry;
    this.rows = rows;
    this.settings = CheckSettings.of(configuration);
  }

  /** Whether a table is checked before the first operation. */
  boolean isFirst() {
    return settings.when() == CheckSettings.When.FIRST || registry.use() == RegistryUse.REQUIRED;
  }

  /**
   * Compares the rows of a table that is in use already, if that is set.
   *
   * @param onProblem is called if the rows have another layout
   */
  void inBackground(Generation generation, Consumer<TableLayoutException> onProblem) {
    if (isFirst() || settings.when() == CheckSettings.When.OFF || generation.rows().isPlain()) {
      return;
    }
    CompletableFuture<Boolean> compared =
        Futures.call(
            BlockingCallThreads::execute,
            () -> {
              compareWithRows(generation.physical(), generation.rows().layout());
              return Boolean.TRUE;
            });
    Futures.onFailure(
        compared,
        failure -> {
          if (failure instanceof TableLayoutException problem) {
            LOG.error("table refused from now on: {}", problem.getMessage());
            onProblem.accept(problem);
          } else {
            LOG.info("layout of {} not checked: {}", generation.physical(), failure.toString());
          }
        });
  }

  /**
   * Checks a table's layout.
   *
   * @param physical the generation in use
   * @param layout null if the table has none
   * @throws TableLayoutException if the registry has recorded another one, or many of the rows do
   *     not fit the layout; a few that do not are counted as foreign
   * @throws IOException if the registry is required and cannot be read
   */
  void check(TableName table, TableName physical, @Nullable Layout layout) throws IOException {
    compareWithRegistry(table, physical, layout);
    if (layout != null) {
      compareWithRows(physical, layout);
    }
  }

  private void compareWithRegistry(TableName table, TableName physical, @Nullable Layout layout)
      throws IOException {
    if (registry.use() == RegistryUse.OFF) {
      return;
    }
    Optional<LayoutRecord> recorded;
    try {
      recorded = registry.recordedLayout(physical);
    } catch (RegistryException e) {
      if (registry.use() == RegistryUse.REQUIRED) {
        throw e;
      }
      LOG.warn("layout of {} not compared with the registry: {}", physical, e.getMessage());
      return;
    }
    if (recorded.isPresent()
        && !isSame(recorded.get().layout(), layout)
        && !isTakingStep(table, recorded.get().layout(), layout)) {
      throw TableLayoutException.disagreement(
          physical, layout == null ? "none" : layout.toString(), recorded.get().layout());
    }
  }

  // The record is the last to get the step; until then the guard decides which layout may be used.
  private boolean isTakingStep(TableName table, String recorded, @Nullable Layout layout)
      throws RegistryException {
    Migration migration = registry.migration(table);
    return migration != null
        && migration.kind() instanceof Kind.StepInPlace step
        && recorded.equals(step.before())
        && isSame(step.after(), layout);
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
          "rows that were not written under the table's layout",
          "rows="
              + found.rows
              + " foreign="
              + found.foreign.size()
              + " row="
              + Bytes.toStringBinary(found.foreign.firstKey())
              + " layout="
              + layout
              + " problem="
              + found.foreign.firstEntry().getValue().getMessage(),
          "nothing is read or written by a layout that may be wrong; "
              + Remedy.VERIFY_TABLE
              + " to see what fits; "
              + CheckSettings.REFUSE_SHARE
              + " sets the share of such rows that is tolerated");
    }
    ForeignRows met = TableMeters.of(cluster(), table.getNameAsString(), layout).foreign();
    found.foreign.forEach(met::met);
  }

  /**
   * The fit of a layout with some rows.
   *
   * @param rows the number of rows that were read
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
}
