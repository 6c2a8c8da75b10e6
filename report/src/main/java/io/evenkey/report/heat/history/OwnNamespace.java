/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.client.SpreadTables;
import io.evenkey.layout.Layout;
import io.evenkey.report.heat.counters.TablesInUse;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The namespace of Evenkey's own tables. Stateless. */
public final class OwnNamespace {
  /** Its name. */
  public static final String NAME = TablesInUse.OWN_NAMESPACE;

  private static final Logger LOG = LoggerFactory.getLogger(OwnNamespace.class);
  private static final int REGIONS = 4;

  private OwnNamespace() {}

  /** Whether a table is one of Evenkey's own. */
  public static boolean has(String table) {
    return table.startsWith(NAME + ":");
  }

  /** Creates a table in this namespace, and the namespace, if they do not exist. */
  public static void create(
      Admin admin, SpreadTables tables, TableName table, Layout layout, String family)
      throws IOException {
    if (admin.tableExists(table)) {
      return;
    }
    try {
      admin.createNamespace(NamespaceDescriptor.create(NAME).build());
    } catch (NamespaceExistException e) {
      // The namespace exists already, as expected.
    }
    try {
      tables.create(table, layout, layout.splits(REGIONS), List.of(family));
    } catch (TableExistsException e) {
      LOG.debug("another process was faster: {}", table);
    }
  }
}
