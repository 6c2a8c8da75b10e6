/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.EntryLife;
import io.evenkey.protocol.index.TableIndex;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The times to live of the families that decide whether a row has an entry, in seconds; {@link
 * HConstants#FOREVER} if cells do not end by themselves.
 *
 * @param shortest of all these families
 * @param longest of all these families
 */
record RowLife(int shortest, int longest) {
  private static final String SHORTEST = "evenkey.index.of.shortest.ttl";
  private static final String LONGEST = "evenkey.index.of.longest.ttl";

  /** The life of the rows of a table that an index has or will have. */
  static RowLife of(TableDescriptor table, TableIndex index) {
    List<Integer> all =
        families(table, index).stream().map(ColumnFamilyDescriptor::getTimeToLive).toList();
    return new RowLife(
        all.stream().min(Integer::compare).orElse(HConstants.FOREVER),
        all.stream().max(Integer::compare).orElse(HConstants.FOREVER));
  }

  /** The families: those of the index's columns, or all if each row has an entry. */
  static List<ColumnFamilyDescriptor> families(TableDescriptor table, TableIndex index) {
    Set<String> named =
        index.columnNames().stream().map(ColumnName::family).collect(Collectors.toSet());
    return List.of(table.getColumnFamilies()).stream()
        .filter(family -> index.columns().isEmpty() || named.contains(family.getNameAsString()))
        .toList();
  }

  /** Whether rows do not end by themselves. */
  boolean isForEver() {
    return shortest == HConstants.FOREVER;
  }

  /** The time to live of the entries, which stay longer than their rows. */
  int ofEntries() {
    long seconds = longest + EntryLife.MARGIN.toSeconds();
    return (int) Math.min(seconds, HConstants.FOREVER);
  }

  /** Whether entries do not end by themselves. */
  boolean isForEverOfEntries() {
    return ofEntries() == HConstants.FOREVER;
  }

  /** Has a settled entry, which has the time of its row, end no later than any cell of the row. */
  Put settled(Put entry) {
    return isForEver() ? entry : entry.setTTL(TimeUnit.SECONDS.toMillis(shortest));
  }

  /** Gives it to a job. */
  void addTo(Configuration configuration) {
    configuration.setInt(SHORTEST, shortest);
    configuration.setInt(LONGEST, longest);
  }

  /** Returns the life of rows that a job was given. */
  static RowLife in(Configuration configuration) {
    return new RowLife(
        configuration.getInt(SHORTEST, HConstants.FOREVER),
        configuration.getInt(LONGEST, HConstants.FOREVER));
  }
}
