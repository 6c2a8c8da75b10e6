/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.doctor;

import io.evenkey.client.internal.descriptor.TableLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The tables with a layout that the user may see. Stateless. */
final class SpreadTableList {
  private SpreadTableList() {}

  static List<TableDescriptor> of(Admin admin) throws IOException {
    List<TableDescriptor> tables = new ArrayList<>();
    for (TableDescriptor table : admin.listTableDescriptors()) {
      if (table.getValue(TableLayout.LAYOUT) != null) {
        tables.add(table);
      }
    }
    tables.sort(Comparator.comparing(TableDescriptor::getTableName));
    return tables;
  }
}
