/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.protocol.gather.GatherRule;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.QueryMetricsSetting;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Decides for one scan where the rows of its ranges are brought into one order, and names the
 * reason. The choice depends on the number of ranges, the limit, the options of the scan and on
 * earlier answers of the servers; a scan that is opened later may be decided differently.
 */
public enum Gathering {
  /** One range needs no merge. */
  ONE_RANGE("one range: a plain scan"),

  /** Each region server merges its ranges and returns their first rows with one request. */
  ON_SERVERS("by region servers, with one request to each: the limit is short"),

  /** Region servers send the first rows of each range, and the client merges them and the rest. */
  SERVERS_FIRST(
      "by the client, which asks each region server for the first rows of all its ranges in one"
          + " request, because the ranges are many"),

  /** As {@link #SERVERS_FIRST}, of the ranges of a few slices. */
  FEW_SLICES(
      "by the client, which asks each region server for the first rows of all its ranges in one"
          + " request, because they belong to few slices"),

  /** The first rows are in the ranges of a few slices, or of one step. */
  GRADUALLY(
      "by the client: it opens the buckets of slices or steps when the scan reaches them, and the"
          + " limit is long or missing"),

  /** All rows are wanted: ranges that are read ahead at the same time are faster. */
  NO_LIMIT("by the client: the scan has no limit, and few ranges or a filter"),

  /** So many rows are wanted that ranges which are read ahead at the same time are faster. */
  LONG_LIMIT(
      "by the client: the limit is more than "
          + GatherRule.ROWS_A_RANGE
          + " rows a range, and the scan has few ranges or a filter"),

  /** The option needs an open scanner for each range. */
  SCAN_OPTIONS(
      "by the client: the scan asks for batches, partial rows, cursors, metrics, raw cells or"
          + " replicas"),

  /** A filter that compares row keys, or holds others and keeps a state, is one for each range. */
  ROW_FILTER("by the client: the filter compares row keys, or holds other filters"),

  /** No region server with Evenkey's module has answered, or rows are stored reversed. */
  NOT_POSSIBLE(
      "by the client: the region servers are not known to have Evenkey's module, or the layout"
          + " stores rows reversed"),

  /** A region server could not gather a short time ago; see {@link GatherPause}. */
  PAUSED("by the client: a region server could not gather a short time ago"),

  /** The client's configuration says so. */
  TURNED_OFF("by the client: " + Gather.ON_SERVERS + " is false");

  private final String reason;

  Gathering(String reason) {
    this.reason = reason;
  }

  /** The decision on a scan of these ranges, which asks no server. */
  public static Gathering of(
      AsyncTable<AdvancedScanResultConsumer> table, List<Scan> scans, GatherOrder order) {
    GatherServers servers = order.servers();
    if (scans.size() <= 1) {
      return ONE_RANGE;
    }
    boolean isShort =
        GatherRule.isShort(order.gradual() ? order.together() : scans.size(), order.limit());
    boolean ofFewSlices = order.ofFewSlices(scans.size()) && !scans.get(0).hasFilter();
    if (order.gradual() && !isShort && !ofFewSlices) {
      return GRADUALLY;
    }
    if (!isShort
        && !ofFewSlices
        && (scans.size() < GatherRule.MANY_RANGES || scans.get(0).hasFilter())) {
      return order.limit() > 0 ? LONG_LIMIT : NO_LIMIT;
    }
    if (servers == null) {
      return NOT_POSSIBLE;
    }
    if (needsScanners(scans.get(0))) {
      return SCAN_OPTIONS;
    }
    if (scans.get(0).hasFilter() && !haveOneFilter(scans)) {
      return ROW_FILTER;
    }
    if (!servers.mayBeAsked()) {
      return PAUSED;
    }
    if (!Setting.SCAN_SERVERS.isOn(table.getConfiguration())) {
      return TURNED_OFF;
    }
    return isShort ? ON_SERVERS : ofFewSlices ? FEW_SLICES : SERVERS_FIRST;
  }

  /** Whether region servers are asked for the first rows of each range. */
  boolean beginsOnServers() {
    return this == SERVERS_FIRST || this == FEW_SLICES;
  }

  /** The order for a merge by this decision. */
  GatherOrder order(GatherOrder order) {
    // What is asked for with one request is open at once.
    return beginsOnServers() ? order.beginningWith(0) : order;
  }

  /** Whether the client merges the ranges of a short scan only because no region server can. */
  boolean isShortByClient() {
    return this == NOT_POSSIBLE || this == PAUSED || this == TURNED_OFF;
  }

  private static boolean needsScanners(Scan scan) {
    return !LimitShares.countRows(scan)
        || scan.isNeedCursorResult()
        || scan.isScanMetricsEnabled()
        || QueryMetricsSetting.isIn(scan)
        || scan.isRaw()
        || scan.getConsistency() != Consistency.STRONG
        || scan.getReplicaId() >= 0;
  }

  private static boolean haveOneFilter(List<Scan> scans) {
    Filter filter = scans.get(0).getFilter();
    for (Scan scan : scans) {
      if (scan.getFilter() != filter) {
        return false;
      }
    }
    return true;
  }

  /** The decision as a word for programs, such as {@code on_servers}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The decision and its reason, as a phrase for people. */
  public String reason() {
    return reason;
  }
}
