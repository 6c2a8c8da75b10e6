/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The changes of whole tables by which rows would end without their entries, or entries without
 * their rows: another time to live, and a family that is deleted; those by which rows would outlive
 * a crash that their entries do not; and the replication of an index's table. Stateless.
 */
final class IndexRows {
  private IndexRows() {}

  /**
   * Checks a change of a table's families.
   *
   * @throws DoNotRetryIOException if rows and entries would not end together any more, or entries
   *     be replicated
   */
  static void checkFamilies(TableName table, TableDescriptor before, TableDescriptor next)
      throws DoNotRetryIOException {
    IndexedFamilies indexed = IndexedFamilies.of(before);
    boolean isOfIndex = TableText.of(before).indexedTable() != null;
    for (ColumnFamilyDescriptor family : next.getColumnFamilies()) {
      ColumnFamilyDescriptor now = before.getColumnFamily(family.getName());
      if (isOfIndex) {
        checkScope(table, now, family);
      }
      if (now == null) {
        checkNew(table, indexed, before, family);
      } else if (indexed.has(family)) {
        checkVersions(table, now, family);
      }
    }
    for (ColumnFamilyDescriptor family : before.getColumnFamilies()) {
      if (!indexed.has(family)) {
        continue;
      }
      ColumnFamilyDescriptor then = next.getColumnFamily(family.getName());
      if (then == null || then.getTimeToLive() != family.getTimeToLive()) {
        throw new DoNotRetryIOException(
            (then == null
                    ? "family of a column of an index cannot be deleted"
                    : "time to live of a column of an index cannot be changed")
                + ": table="
                + table
                + " family="
                + family.getNameAsString()
                + (then == null
                    ? ""
                    : " now=" + family.getTimeToLive() + " wanted=" + then.getTimeToLive())
                + "; rows and their entries would not expire together: drop the index, change the"
                + " family, and add the index again");
      }
    }
  }

  // Rows and entries are two tables, which replication does not keep in order.
  private static void checkScope(
      TableName table, @Nullable ColumnFamilyDescriptor now, ColumnFamilyDescriptor then)
      throws DoNotRetryIOException {
    boolean wasReplicated = now != null && isReplicated(now);
    if (isReplicated(then) && !wasReplicated) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table of an index cannot be replicated")
              .with("table", table)
              .with("family", then.getNameAsString())
              .with("replication_scope", then.getScope())
              .remedy(
                  "its entries would arrive before or after their rows: replicate the indexed"
                      + " table, and add the index at the peer when that takes over"));
    }
  }

  private static boolean isReplicated(ColumnFamilyDescriptor family) {
    return family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL;
  }

  // Rows that have only cells of the new family are in an index of the key alone.
  private static void checkNew(
      TableName table,
      IndexedFamilies indexed,
      TableDescriptor before,
      ColumnFamilyDescriptor family)
      throws DoNotRetryIOException {
    if (!indexed.isOfAll()) {
      return;
    }
    int shortest = HConstants.FOREVER;
    int longest = 0;
    for (ColumnFamilyDescriptor other : before.getColumnFamilies()) {
      shortest = Math.min(shortest, other.getTimeToLive());
      longest = Math.max(longest, other.getTimeToLive());
    }
    int wanted = family.getTimeToLive();
    if (wanted < shortest || wanted > longest) {
      throw new DoNotRetryIOException(
          FailureMessage.of(
                  "new family of a table with an index of its key alone has another time to live"
                      + " than the other families")
              .with("table", table)
              .with("family", family.getNameAsString())
              .with("ttl", wanted)
              .with("shortest", shortest)
              .with("longest", longest)
              .remedy(
                  "rows and their entries would not expire together: give the family one of"
                      + " theirs, or drop the index, add the family, and add the index again"));
    }
    if (isKeptLonger(family)) {
      throw keptLonger(table, family);
    }
  }

  private static void checkVersions(
      TableName table, ColumnFamilyDescriptor now, ColumnFamilyDescriptor then)
      throws DoNotRetryIOException {
    if (isKeptLonger(then) && then.getMinVersions() != now.getMinVersions()) {
      throw keptLonger(table, then);
    }
  }

  private static boolean isKeptLonger(ColumnFamilyDescriptor family) {
    return family.getTimeToLive() != HConstants.FOREVER && family.getMinVersions() > 0;
  }

  private static DoNotRetryIOException keptLonger(TableName table, ColumnFamilyDescriptor family) {
    return new DoNotRetryIOException(
        FailureMessage.of("family of an index cannot keep versions beyond its time to live")
            .with("table", table)
            .with("family", family.getNameAsString())
            .with("ttl", family.getTimeToLive())
            .with("min_versions", family.getMinVersions())
            .remedy("rows and their entries would not expire together: leave MIN_VERSIONS at 0"));
  }

  /**
   * Checks a change of a table's durability. Clients write entries as durably as a put says, and
   * leave it to the table of the index if the put leaves it to its table.
   *
   * @throws DoNotRetryIOException if entries would be less durable than their rows
   */
  static void checkDurability(TableName table, TableDescriptor before, TableDescriptor next)
      throws DoNotRetryIOException {
    TableText text = TableText.of(before);
    Durability now = durability(before);
    Durability wanted = durability(next);
    boolean weaker = text.indexedTable() != null && wanted.compareTo(now) < 0;
    boolean stronger =
        text.hasIndexes() && wanted == Durability.FSYNC_WAL && now != Durability.FSYNC_WAL;
    if (weaker || stronger) {
      throw new DoNotRetryIOException(
          FailureMessage.of(
                  weaker
                      ? "table of an index cannot be made less durable"
                      : "table with indexes cannot be made more durable than SYNC_WAL")
              .with("table", table)
              .with("now", now)
              .with("wanted", wanted)
              .remedy(
                  "entries would be less durable than their rows: drop the index, change the"
                      + " indexed table, and add the index again"));
    }
  }

  private static Durability durability(TableDescriptor table) {
    Durability own = table.getDurability();
    return own == Durability.USE_DEFAULT ? Durability.SYNC_WAL : own;
  }
}
