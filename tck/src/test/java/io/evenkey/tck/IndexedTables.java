/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Gives each table of a test of HBase's an index of mutable rows, where {@code -Dtck.index=true}
 * asks for that. The index is of a column that the tests do not write, so they must not notice it.
 */
public final class IndexedTables {
  private static final String NAME = "by_evk";

  private IndexedTables() {}

  /** Adds the index, if the table is there and has none, before a connection first uses it. */
  public static synchronized void complete(TableName table, Configuration configuration) {
    if (!Boolean.getBoolean("tck.index") || table.isSystemTable()) {
      return;
    }
    Configuration plainly = EvenkeyConnection.plain(configuration);
    try (Connection plain = ConnectionFactory.createConnection(plainly);
        Admin admin = plain.getAdmin();
        Registry registry = Registry.open(plainly)) {
      if (!admin.tableExists(table) || !admin.isTableEnabled(table)) {
        return;
      }
      TableDescriptor now = admin.getDescriptor(table);
      boolean isIndex = now.getValue(DescribedIndexes.INDEXED_TABLE_KEY) != null;
      if (!isIndex && TableLayout.of(now) != null && TableLayout.indexes(now).isEmpty()) {
        ColumnName column = new ColumnName(now.getColumnFamilies()[0].getNameAsString(), "evk");
        TableIndex index =
            TableIndex.parse(
                NAME + " mutable joining as \"salt(2) + evk:string\" from evk=" + column);
        new IndexAddition(table, index, 1, 0).run(plain, registry, IndexListener.NONE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
