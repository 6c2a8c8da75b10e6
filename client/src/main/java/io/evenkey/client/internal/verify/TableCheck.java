/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.verify;

import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * All statements about the layout of an existing table: by its descriptor, by the registry, and by
 * its rows; and the ways to make them say the same. Immutable.
 *
 * @param descriptor the table's descriptor
 * @param inDescriptor the fit of the layout there with the rows, or null if there is none
 * @param recorded the layout line that the registry has recorded, or null if it has none
 * @param inRegistry the fit of that with the rows, or null if there is none, or it cannot be read
 * @param rows the sample
 */
public record TableCheck(
    TableDescriptor descriptor,
    @Nullable FittingRows inDescriptor,
    @Nullable String recorded,
    @Nullable FittingRows inRegistry,
    StoredRows rows) {
  /** The logical key of rows of which nothing is known. */
  public static final String UNKNOWN_KEY = "key:bytes";

  public static final String SEPARATORS = "_-:|#./";

  /**
   * Looks at a table.
   *
   * @param plain a connection to which rows are what is stored
   * @param count of how many rows
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   */
  public static TableCheck of(Connection plain, Registry registry, TableName name, int count)
      throws IOException {
    TableDescriptor descriptor;
    try (Admin admin = plain.getAdmin()) {
      descriptor = admin.getDescriptor(name);
    }
    StoredRows rows = StoredRows.of(plain, name, count);
    Layout described = TableLayout.of(descriptor);
    String line = registry.layouts().get(name).map(LayoutRecord::layout).orElse(null);
    Layout recorded = parsed(line);
    return new TableCheck(
        descriptor,
        described == null ? null : FittingRows.of(described, rows.rows()),
        line,
        recorded == null ? null : FittingRows.of(recorded, rows.rows()),
        rows);
  }

  private static @Nullable Layout parsed(@Nullable String line) {
    try {
      return line == null ? null : Layout.parse(line);
    } catch (LayoutException e) {
      return null;
    }
  }

  /** The table's name. */
  public TableName name() {
    return descriptor.getTableName();
  }

  /** Whether the registry has no record of the table, or one of the layout in the descriptor. */
  public boolean agrees() {
    if (inDescriptor == null || recorded == null) {
      return recorded == null;
    }
    return inRegistry != null && inRegistry.layout().equals(inDescriptor.layout());
  }

  /** Whether they agree, and no row contradicts them. */
  public boolean isSound() {
    return agrees() && (inDescriptor == null || inDescriptor.fitting() == inDescriptor.rows());
  }

  /**
   * Whether clients use the table: descriptor and registry agree, and too few rows contradict them
   * that the layout may be wrong. Clients look at fewer rows.
   */
  public boolean isUsable(CheckSettings settings) {
    return agrees()
        && (inDescriptor == null || !settings.refuses(inDescriptor.rows(), inDescriptor.foreign()));
  }

  /**
   * Records the layout of a table of others in the descriptor and in the registry: that the rows
   * are of it is for the caller to know. The table stays in service, its regions open. With the
   * guard, clients without Evenkey may go on writing rows of the layout.
   *
   * @throws IOException if it could not be recorded in both; what was done is done, and doing it
   *     again is no harm
   */
  public void adopt(Connection plain, Registry registry, Layout layout) throws IOException {
    record(plain, registry, layout);
  }

  private void record(Connection plain, Registry registry, Layout layout) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(name());
      if (!layout.equals(TableLayout.of(now))) {
        RecordedLayout.of(TableLayout.withRecorded(now, layout)).store(plain, admin);
      }
    }
    registry
        .layouts()
        .record(
            name(),
            layout.toString(),
            TableLayout.indexesText(descriptor),
            TableLayout.isKeyChanged(descriptor));
  }

  /**
   * Makes the registry say what the descriptor says: that layout, or none.
   *
   * @throws IOException if it could not be recorded
   */
  public void trustDescriptor(Registry registry) throws IOException {
    if (inDescriptor == null) {
      registry.layouts().forget(name());
    } else {
      registry
          .layouts()
          .record(
              name(),
              inDescriptor.layout().toString(),
              TableLayout.indexesText(descriptor),
              TableLayout.isKeyChanged(descriptor));
    }
  }

  /**
   * Makes the descriptor say what the registry says.
   *
   * @throws IOException if the registry says nothing, or it could not be recorded
   */
  public void trustRegistry(Connection plain, Registry registry) throws IOException {
    if (inRegistry == null) {
      throw new EvenkeyException(
          "registry has no layout of the table: table="
              + name()
              + "; trust the descriptor, or adopt a layout");
    }
    record(plain, registry, inRegistry.layout());
  }
}
