/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.layout.text.RowException;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * The values that the rows of a table have in the field of a step.
 *
 * <p>Where it is the first field of the key, each bucket is in the order of its values, and one row
 * of each bucket is read; else the first cell of every row. Tombstones count as rows: a row that
 * was deleted, and is put again into another bucket, would not be hidden by its tombstone there.
 * Not thread-safe.
 */
public final class StepRows {
  private static final int CACHED = 4;
  private static final int CACHED_OF_ALL = 5_000;

  private final Connection plain;
  private final TableName table;
  private final Layout layout;
  private final Field field;
  private final MigrationListener listener;

  /**
   * @param table the physical table
   * @param layout the layout of its rows
   * @param field the field of the step
   */
  public StepRows(
      Connection plain, TableName table, Layout layout, Field field, MigrationListener listener) {
    this.plain = plain;
    this.table = table;
    this.layout = layout;
    this.field = field;
    this.listener = listener;
  }

  /**
   * Rows of a table in the field of a step.
   *
   * @param first the row with the least value, in words
   * @param highest the greatest value
   */
  public record RowsPastStep(String first, Object highest) {}

  /**
   * The rows at or after a step, in the buckets of either layout; empty if there are none.
   *
   * @param steps of which the layout is the one before
   */
  public Optional<RowsPastStep> beyond(AppendedSteps steps) throws IOException {
    return beyond(steps, steps::covers);
  }

  /**
   * The rows at or after a step that a layout would look for elsewhere; empty if there are none.
   *
   * @param next one of the two layouts
   */
  public Optional<RowsPastStep> misplaced(AppendedSteps steps, Layout next) throws IOException {
    return beyond(
        steps,
        row ->
            steps.covers(row)
                && !Arrays.equals(row, next.physical(next.spread().logicalInAnyBucket(row))));
  }

  private Optional<RowsPastStep> beyond(AppendedSteps steps, Predicate<byte[]> wanted)
      throws IOException {
    return ends(isLeading() ? steps.ranges() : Set.of(KeyRange.all()), wanted);
  }

  /** The greatest value that a row of the table has; empty if it has no rows. */
  public Optional<Object> highest() throws IOException {
    Set<KeyRange> ranges =
        isLeading()
            ? new LinkedHashSet<>(layout.scatter(KeyRange.all()).ranges())
            : Set.of(KeyRange.all());
    return ends(ranges, row -> true).map(RowsPastStep::highest);
  }

  private boolean isLeading() {
    return layout.fields().indexOf(field) == 0;
  }

  private Optional<RowsPastStep> ends(Set<KeyRange> ranges, Predicate<byte[]> wanted)
      throws IOException {
    // A server that has lost a region without knowing it would answer from the past.
    try (RegionLocator locator = plain.getRegionLocator(table);
        Table open = plain.getTable(table)) {
      locator.clearRegionLocationCache();
      Ends ends = new Ends(wanted);
      for (KeyRange range : ranges) {
        if (isLeading()) {
          read(open, scan(range).setCaching(CACHED), ends, true);
          read(open, reversed(range).setCaching(CACHED), ends, true);
        } else {
          read(open, scan(range).setCaching(CACHED_OF_ALL), ends, false);
        }
      }
      return ends.found();
    }
  }

  private void read(Table open, Scan scan, Ends ends, boolean one) throws IOException {
    try (ResultScanner rows = open.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        if (ends.take(row.getRow()) && one) {
          return;
        }
        if (!one && ends.rows % CACHED_OF_ALL == 0) {
          listener.progress(0, ends.rows);
        }
      }
    }
  }

  private static Scan scan(KeyRange range) {
    return as(new Scan()).withStartRow(range.start()).withStopRow(range.stop());
  }

  private static Scan reversed(KeyRange range) {
    return as(new Scan())
        .setReversed(true)
        .withStartRow(range.stop(), false)
        .withStopRow(range.start(), true);
  }

  private static Scan as(Scan scan) {
    scan.setAttribute(GuardAttributes.RAW, new byte[0]);
    return scan.setRaw(true).setFilter(new FirstKeyOnlyFilter()).setCacheBlocks(false);
  }

  /** The least and the greatest value so far. */
  private final class Ends {
    private final Predicate<byte[]> wanted;
    private long rows;
    private byte @Nullable [] least;
    private byte @Nullable [] most;
    private String first = "";
    private @Nullable Object highest;

    Ends(Predicate<byte[]> wanted) {
      this.wanted = wanted;
    }

    /** Whether it is a row that is looked for. */
    boolean take(byte[] row) {
      rows++;
      if (!wanted.test(row)) {
        return false;
      }
      Object value = value(row);
      if (value == null) {
        return false;
      }
      byte[] encoded = field.encoded(value);
      if (least == null || Arrays.compareUnsigned(encoded, least) < 0) {
        least = encoded;
        first = layout.label(row);
      }
      if (most == null || Arrays.compareUnsigned(encoded, most) > 0) {
        most = encoded;
        highest = value;
      }
      return true;
    }

    // The bucket does not matter.
    private @Nullable Object value(byte[] row) {
      try {
        byte[] key = layout.spread().logicalInAnyBucket(row);
        return layout.decodeLogical(key).get(field.name());
      } catch (RowException e) {
        return null;
      }
    }

    Optional<RowsPastStep> found() {
      return highest == null
          ? Optional.empty()
          : Optional.of(new RowsPastStep(first, Objects.requireNonNull(highest)));
    }
  }
}
