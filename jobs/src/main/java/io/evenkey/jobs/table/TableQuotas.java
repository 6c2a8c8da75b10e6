/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.ThrottleSettings;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quotas that HBase keeps under the names of tables and namespaces. As thread-safe as the
 * connection.
 */
public final class TableQuotas {
  private static final Logger LOG = LoggerFactory.getLogger(TableQuotas.class);
  private static final String TABLES = "hbase.namespace.quota.maxtables";
  private static final String REGIONS = "hbase.namespace.quota.maxregions";

  private final Connection plain;

  public TableQuotas(Connection plain) {
    this.plain = plain;
  }

  /** The quotas of a table, also those of single users; none where HBase keeps no quotas. */
  public List<QuotaSettings> of(TableName table) throws IOException {
    String name = Pattern.quote(table.getNameAsString());
    try (Admin admin = plain.getAdmin()) {
      List<QuotaSettings> quotas =
          new ArrayList<>(admin.getQuota(new QuotaFilter().setTableFilter(name)));
      // HBase keeps those of single users apart.
      quotas.addAll(admin.getQuota(new QuotaFilter().setUserFilter(".+").setTableFilter(name)));
      quotas.removeIf(quota -> !table.equals(quota.getTableName()));
      return quotas;
    } catch (TableNotFoundException e) {
      return List.of();
    }
  }

  /**
   * Gives another table the quotas of a table, too. Each of the two has its own count. What the
   * user may not read or set is logged.
   */
  public void copy(TableName from, TableName to) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      for (QuotaSettings quota : of(from)) {
        SetQuotaRequest request =
            QuotaSettings.buildSetQuotaRequestProto(quota).toBuilder()
                .setTableName(ProtobufUtil.toProtoTableName(to))
                .build();
        admin.setQuota(QuotaSettings.buildFromProto(request));
      }
    } catch (AccessDeniedException e) {
      LOG.warn(
          "quotas of {} not set on {}: this user may not read hbase:quota, or set quotas; have an"
              + " administrator set them",
          from,
          to);
    }
  }

  /**
   * Copies like {@link #copy}, and removes quotas from the other table that this one does not have.
   */
  public void replace(TableName from, TableName to) throws IOException {
    Set<String> kept = new HashSet<>();
    for (QuotaSettings quota : of(from)) {
      kept.add(kind(quota));
    }
    try (Admin admin = plain.getAdmin()) {
      for (QuotaSettings quota : of(to)) {
        if (!kept.contains(kind(quota))) {
          admin.setQuota(removal(quota));
        }
      }
    } catch (AccessDeniedException e) {
      LOG.warn(
          "quotas of {} that were removed since the switch not removed from {}: this user may not"
              + " read hbase:quota, or set quotas; have an administrator remove them",
          from,
          to);
    }
    copy(from, to);
  }

  /** Returns the kind of a quota. A table has at most one quota of each kind. */
  private static String kind(QuotaSettings quota) {
    String throttled =
        quota instanceof ThrottleSettings throttle ? " " + throttle.getThrottleType() : "";
    return quota.getQuotaType() + throttled + " " + quota.getUserName();
  }

  private static QuotaSettings removal(QuotaSettings quota) {
    TableName table = quota.getTableName();
    String user = quota.getUserName();
    if (!(quota instanceof ThrottleSettings throttle)) {
      return QuotaSettingsFactory.removeTableSpaceLimit(table);
    }
    return user == null
        ? QuotaSettingsFactory.unthrottleTableByThrottleType(table, throttle.getThrottleType())
        : QuotaSettingsFactory.unthrottleUserByThrottleType(
            user, table, throttle.getThrottleType());
  }

  /**
   * Checks that a namespace has room.
   *
   * @param table in whose namespace tables are about to be created
   * @param tables the number of these tables
   * @param regions the number of their regions
   * @return why there is none; null if there is
   */
  public @Nullable String full(TableName table, int tables, int regions) throws IOException {
    String namespace = table.getNamespaceAsString();
    try (Admin admin = plain.getAdmin()) {
      if (!admin.tableExists(QuotaTableUtil.QUOTA_TABLE_NAME)) {
        return null;
      }
      long mostTables = most(admin, namespace, TABLES);
      long mostRegions = most(admin, namespace, REGIONS);
      if (mostTables == Long.MAX_VALUE && mostRegions == Long.MAX_VALUE) {
        return null;
      }
      TableName[] all = admin.listTableNamesByNamespace(namespace);
      if (all.length + tables > mostTables) {
        return full(namespace, TABLES, mostTables, all.length, tables);
      }
      int now = 0;
      for (TableName one : all) {
        now += admin.getRegions(one).size();
      }
      return now + regions > mostRegions
          ? full(namespace, REGIONS, mostRegions, now, regions)
          : null;
    }
  }

  private static String full(String namespace, String quota, long most, int now, int more) {
    return String.format(
        Locale.ROOT,
        "quota of the namespace would be exceeded: namespace=%s %s=%d now=%d needed=%d",
        namespace,
        quota,
        most,
        now,
        more);
  }

  private static long most(Admin admin, String namespace, String quota) throws IOException {
    String value = admin.getNamespaceDescriptor(namespace).getConfigurationValue(quota);
    try {
      return value == null ? Long.MAX_VALUE : Long.parseLong(value.trim());
    } catch (NumberFormatException e) {
      // HBase refuses such a value itself.
      return Long.MAX_VALUE;
    }
  }
}
