/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.spread.Steps;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of a table's salt use its regions for. The present step of a time is the one that
 * holds now; of a number, the one of the greatest number that is stored. Not thread-safe.
 */
public final class RegionUses {
  private final Connection plain;
  private final TableName table;
  private final Layout layout;
  private final MigrationListener listener;

  /**
   * @param table the physical table
   */
  public RegionUses(Connection plain, TableName table, Layout layout, MigrationListener listener) {
    this.plain = plain;
    this.table = table;
    this.layout = layout;
    this.listener = listener;
  }

  /** All regions of the table, in the order of their rows. */
  public List<UsedRegion> find(Instant now) throws IOException {
    List<KeyRange> current = current(now);
    List<UsedRegion> found = new ArrayList<>();
    try (Admin admin = plain.getAdmin();
        Table open = plain.getTable(table)) {
      for (RegionInfo region : admin.getRegions(table)) {
        found.add(new UsedRegion(region, use(open, region, current)));
      }
    }
    found.sort((a, b) -> RegionInfo.COMPARATOR.compare(a.info(), b.info()));
    return found;
  }

  private static RegionUse use(Table open, RegionInfo region, List<KeyRange> current)
      throws IOException {
    KeyRange rows = UsedRegion.rows(region);
    if (current.stream().anyMatch(range -> !range.intersection(rows).isEmpty())) {
      return RegionUse.CURRENT;
    }
    return isEmpty(open, rows) ? RegionUse.EMPTY : RegionUse.EARLIER;
  }

  /** The rows that keys of the present step and of later ones can be in. */
  private List<KeyRange> current(Instant now) throws IOException {
    Steps steps = layout.steps();
    int present = steps.isNone() ? 0 : present(now);
    if (present == 0) {
      return List.of(KeyRange.all());
    }
    String from = Objects.requireNonNull(steps.list().get(present).from());
    return layout.scatter(layout.where(Quoted.name(steps.fieldName()) + " >= " + from)).ranges();
  }

  private int present(Instant now) throws IOException {
    Steps steps = layout.steps();
    Field field = layout.fields().get(steps.field());
    Object highest =
        StepProposal.isTime(field)
            ? null
            : new StepRows(plain, table, layout, field, listener).highest().orElse(null);
    int present = 0;
    while (present + 1 < steps.count()
        && hasBegun(field, StepProposal.bare(steps, present + 1), highest, now)) {
      present++;
    }
    return present;
  }

  private static boolean hasBegun(Field field, String from, @Nullable Object highest, Instant now) {
    return StepProposal.isTime(field)
        ? StepProposal.isPast(field, from, now)
        : highest != null
            && Arrays.compareUnsigned(field.encoded(highest), field.encoded(field.parse(from)))
                >= 0;
  }

  // What has expired is not returned, whether or not HBase has removed it from its files.
  private static boolean isEmpty(Table open, KeyRange rows) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(rows.start())
            .withStopRow(rows.stop())
            .setLimit(1)
            .setCacheBlocks(false)
            .setFilter(new FirstKeyOnlyFilter());
    scan.setAttribute(GuardAttributes.RAW, new byte[0]);
    try (ResultScanner found = open.getScanner(scan)) {
      return found.next() == null;
    }
  }
}
