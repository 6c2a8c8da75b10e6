/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.admin;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule for a call of {@link org.apache.hadoop.hbase.client.Admin} or {@link
 * org.apache.hadoop.hbase.client.AsyncAdmin} that names tables: passed on, or refused while the
 * table is migrated. The asynchronous twin of a method has the rule of the method.
 */
public enum AdminRule {
  /** Passed on: changes nothing. */
  READS(false),
  /** Passed on: what each physical table has in files, regions and caches is its own affair. */
  REWRITES_FILES(false),
  /** Passed on: a table that was disabled is available again, with the rows that it had. */
  REOPENS(false),
  /** Passed on: what was already copied to a peer stays; no row of the table changes. */
  ENDS_REPLICATION(false),
  /** Refused while the table is migrated; else the table is created as planned. */
  CREATES(true),
  /** Refused while the table is migrated; else the table keeps its layout. */
  MODIFIES(true),
  /**
   * Refused while the table is migrated: families, settings, rows or the existence of one
   * generation would change, and the other would stay as it is.
   */
  CHANGES(true);

  private static final Map<String, AdminRule> BY_METHOD = new HashMap<>();

  static {
    READS.are(
        "tableExists",
        "getTableDescriptor",
        "getDescriptor",
        "isTableEnabled",
        "isTableDisabled",
        "isTableAvailable",
        "getAlterStatus",
        "getRegionMetrics",
        "getTableRegions",
        "getRegions",
        "getRSGroup",
        "getTableDescriptorsByTableName",
        "listTableDescriptors",
        "getCompactionState",
        "getLastMajorCompactionTimestamp",
        "getCurrentSpaceQuotaSnapshot");
    REWRITES_FILES.are("flush", "compact", "majorCompact", "clearBlockCache", "split", "snapshot");
    REOPENS.are("enableTable", "enableTables");
    ENDS_REPLICATION.are("removeReplicationPeerTableCFs");
    CREATES.are("createTable");
    MODIFIES.are("modifyTable");
    CHANGES.are(
        "deleteTable",
        "deleteTables",
        "truncateTable",
        "truncateRegion",
        "disableTable",
        "disableTables",
        "addColumn",
        "addColumnFamily",
        "deleteColumn",
        "deleteColumnFamily",
        "modifyColumn",
        "modifyColumnFamily",
        "modifyColumnFamilyStoreFileTracker",
        "modifyTableStoreFileTracker",
        "restoreSnapshot",
        "cloneSnapshot",
        "cloneTableSchema",
        "enableTableReplication",
        "disableTableReplication",
        "appendReplicationPeerTableCFs",
        "setRSGroup");
  }

  private final boolean refusedWhileMigrated;

  AdminRule(boolean refusedWhileMigrated) {
    this.refusedWhileMigrated = refusedWhileMigrated;
  }

  private void are(String... methods) {
    for (String method : methods) {
      BY_METHOD.put(method, this);
    }
  }

  /** The rule of a method, or null if there is none. */
  public static @Nullable AdminRule of(String method) {
    AdminRule rule = BY_METHOD.get(method);
    return rule == null && method.endsWith("Async")
        ? BY_METHOD.get(method.substring(0, method.length() - "Async".length()))
        : rule;
  }

  /** Whether calls are refused while a table that they name is migrated. */
  public boolean isRefusedWhileMigrated() {
    return refusedWhileMigrated;
  }

  /** Whether what is known of layouts may be wrong after a call. */
  boolean forgets() {
    return refusedWhileMigrated || this == REOPENS;
  }
}
