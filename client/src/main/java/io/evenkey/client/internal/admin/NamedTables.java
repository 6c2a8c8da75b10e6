/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.admin;

import io.evenkey.client.internal.future.Futures;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** The tables that a call of an Admin or AsyncAdmin would change. As thread-safe as the admin. */
final class NamedTables {
  private final Object admin;

  /**
   * @param admin HBase's own {@link Admin} or {@link AsyncAdmin}
   */
  NamedTables(Object admin) {
    this.admin = admin;
  }

  /** The tables that the arguments name directly, by a pattern, by a snapshot or by a region. */
  CompletableFuture<Set<TableName>> of(String method, Object @Nullable [] arguments) {
    if (arguments == null || arguments.length == 0) {
      return CompletableFuture.completedFuture(Set.of());
    } else if (method.startsWith("restoreSnapshot")) {
      return ofSnapshot(text(arguments[0]));
    } else if (method.startsWith("truncateRegion")) {
      return CompletableFuture.completedFuture(ofRegion((byte[]) arguments[0]));
    } else if (arguments.length == 1 && method.endsWith("Tables")) {
      return matching(arguments[0]);
    }
    Set<TableName> tables = new LinkedHashSet<>();
    for (Object argument : arguments) {
      add(argument, tables);
    }
    return CompletableFuture.completedFuture(tables);
  }

  private static void add(@Nullable Object argument, Set<TableName> tables) {
    if (argument instanceof TableName table) {
      tables.add(table);
    } else if (argument instanceof TableDescriptor table) {
      tables.add(table.getTableName());
    } else if (argument instanceof Map<?, ?> map) {
      map.keySet().forEach(key -> add(key, tables));
    } else if (argument instanceof Collection<?> several) {
      several.forEach(one -> add(one, tables));
    }
  }

  private static String text(Object name) {
    return name instanceof byte[] bytes ? Bytes.toString(bytes) : (String) name;
  }

  private CompletableFuture<Set<TableName>> ofSnapshot(String name) {
    Pattern pattern = Pattern.compile(Pattern.quote(name));
    return admin instanceof AsyncAdmin async
        ? Futures.map(async.listSnapshots(pattern), NamedTables::tables)
        : now(() -> tables(((Admin) admin).listSnapshots(pattern)));
  }

  private static Set<TableName> tables(List<SnapshotDescription> snapshots) {
    Set<TableName> tables = new LinkedHashSet<>();
    snapshots.forEach(snapshot -> add(snapshot.getTableName(), tables));
    return tables;
  }

  // A region's hash alone does not say which table it is of.
  private static Set<TableName> ofRegion(byte[] name) {
    return RegionInfo.isEncodedRegionName(name) ? Set.of() : Set.of(RegionInfo.getTable(name));
  }

  // Only Admin has such methods.
  private CompletableFuture<Set<TableName>> matching(Object pattern) {
    Pattern names = pattern instanceof Pattern p ? p : Pattern.compile((String) pattern);
    return now(() -> new LinkedHashSet<>(Arrays.asList(((Admin) admin).listTableNames(names))));
  }

  @FunctionalInterface
  private interface TableListing {
    Set<TableName> up() throws IOException;
  }

  private static CompletableFuture<Set<TableName>> now(TableListing look) {
    try {
      return CompletableFuture.completedFuture(look.up());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
