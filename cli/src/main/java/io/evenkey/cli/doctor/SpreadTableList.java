/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The tables with a layout that clients use, of those that the user may see. A generation that a
 * migration has left, or fills, is closed or disabled: nothing can be wrong with it for a client.
 * Stateless.
 */
final class SpreadTableList {
  private SpreadTableList() {}

  /** Whether clients can read a table. */
  static boolean isInUse(Admin admin, TableDescriptor table) throws IOException {
    return TableGuard.state(table).mode() != GuardMode.CLOSED
        && !admin.isTableDisabled(table.getTableName());
  }

  static List<TableDescriptor> of(Admin admin) throws IOException {
    List<TableDescriptor> tables = new ArrayList<>();
    for (TableDescriptor table : admin.listTableDescriptors()) {
      if (table.getValue(TableLayout.LAYOUT) != null && isInUse(admin, table)) {
        tables.add(table);
      }
    }
    tables.sort(Comparator.comparing(TableDescriptor::getTableName));
    return tables;
  }
}
