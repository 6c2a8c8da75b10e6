/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.request;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.QueryMetricsSetting;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Requests with the settings of others. HBase keeps most settings in the attributes of a request:
 * isolation level, authorizations, rights, identity, labels and time to live. Those that it keeps
 * in fields are named here and nowhere else; a test compares them with all setters that HBase has.
 * Scans are copied by HBase's own constructors, which the test checks too. Stateless.
 */
public final class RequestSettings {
  /** HBase's attributes that are about a scan as such. */
  @SuppressWarnings("deprecation") // HBase has no other names for them
  private static final Set<String> OF_SCANS =
      Set.of(
          Scan.SCAN_ATTRIBUTES_METRICS_ENABLE,
          Scan.SCAN_ATTRIBUTES_METRICS_DATA,
          Scan.SCAN_ATTRIBUTES_TABLE_NAME);

  /**
   * HBase's attributes that are about the cells of a mutation: labels, rights, time to live, the
   * clusters that have it, and whether it is answered with them. Those of labels and rights say
   * something else in a read.
   */
  private static final Set<String> OF_CELLS = Set.of("VISIBILITY", "acl", "_ttl", "_cs.id", "_rr_");

  private RequestSettings() {}

  /**
   * A read of another row.
   *
   * @param filter the filter of the copy; null if it has none
   */
  public static Get get(Get from, byte[] row, @Nullable Filter filter) {
    Get to = new Get(row);
    if (filter != null) {
      to.setFilter(filter);
    }
    copyColumns(from.getFamilyMap(), to);
    copyVersions(from.getTimeRange(), from.getMaxVersions(), to);
    to.setMaxResultsPerColumnFamily(from.getMaxResultsPerColumnFamily());
    to.setRowOffsetPerColumnFamily(from.getRowOffsetPerColumnFamily());
    to.setCheckExistenceOnly(from.isCheckExistenceOnly());
    to.setCacheBlocks(from.getCacheBlocks());
    copyQuery(from, to);
    from.getAttributesMap().forEach(to::setAttribute);
    return to;
  }

  /**
   * A read of one row as a scan reads rows, without its columns and filter. What is about more than
   * one row is left out: bounds, direction, limit, sizes of answers, partial rows, metrics.
   */
  public static Get get(Scan from, byte[] row) {
    Get to = new Get(row);
    copyVersions(from.getTimeRange(), from.getMaxVersions(), to);
    to.setMaxResultsPerColumnFamily(from.getMaxResultsPerColumnFamily());
    to.setRowOffsetPerColumnFamily(from.getRowOffsetPerColumnFamily());
    to.setCacheBlocks(from.getCacheBlocks());
    copyQuery(from, to);
    copyAttributes(from, to, OF_SCANS);
    return to;
  }

  /** Whether reads differ in nothing but their rows. */
  public static boolean areAlike(List<Get> reads) throws IOException {
    Get first = reads.get(0);
    ClientProtos.Get sent = withoutRow(first);
    for (Get read : reads) {
      // What HBase sends beside a read, or keeps to find the server.
      if (read.getPriority() != first.getPriority()
          || read.getReplicaId() != first.getReplicaId()
          || !withoutRow(read).equals(sent)) {
        return false;
      }
    }
    return true;
  }

  // As it is sent, so that no setting is forgotten here.
  private static ClientProtos.Get withoutRow(Get read) throws IOException {
    return ProtobufUtil.toGet(read).toBuilder().clearRow().buildPartial();
  }

  /** Adds columns to a read. */
  public static Get copyColumns(
      Map<byte[], ? extends @Nullable NavigableSet<byte[]>> families, Get to) {
    families.forEach(
        (family, qualifiers) -> {
          if (qualifiers == null) {
            to.addFamily(family);
          } else {
            qualifiers.forEach(qualifier -> to.addColumn(family, qualifier));
          }
        });
    return to;
  }

  /**
   * A scan of a table that says which rows to read, as another one reads these. It reads the rows
   * of that table whole, and all columns.
   */
  public static Scan rows(Scan from) throws IOException {
    return new Scan(from)
        .setFamilyMap(new TreeMap<>(Bytes.BYTES_COMPARATOR))
        .setFilter(null)
        .setLimit(-1)
        .setAllowPartialResults(false);
  }

  /** The read on which a write depends, of no column yet, with what the writer says of requests. */
  public static Get readFor(Mutation write) {
    Get to = new Get(write.getRow());
    to.setPriority(write.getPriority());
    copyAttributes(write, to, OF_CELLS);
    return to;
  }

  /**
   * Gives a mutation the settings of another: durability, priority and attributes, among which are
   * identity, labels, rights and time to live.
   */
  public static <M extends Mutation> M copy(Mutation from, M to) {
    to.setDurability(from.getDurability());
    to.setPriority(from.getPriority());
    from.getAttributesMap().forEach(to::setAttribute);
    return to;
  }

  /**
   * A check of another row.
   *
   * @param filter the filter of the copy; null if the check has none
   * @param action the action of the copy, of the same row
   * @throws IllegalArgumentException if the action is of an unknown kind
   */
  public static CheckAndMutate check(
      CheckAndMutate check, byte[] row, @Nullable Filter filter, Row action) {
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row).timeRange(check.getTimeRange());
    QueryMetricsSetting.copy(check, builder);
    if (filter != null) {
      builder.ifMatches(filter);
    } else {
      builder.ifMatches(
          check.getFamily(), check.getQualifier(), check.getCompareOp(), check.getValue());
    }
    if (action instanceof RowMutations mutations) {
      return builder.build(mutations);
    } else if (action instanceof Put put) {
      return builder.build(put);
    } else if (action instanceof Delete delete) {
      return builder.build(delete);
    } else if (action instanceof Append append) {
      return builder.build(append);
    } else if (action instanceof Increment increment) {
      return builder.build(increment);
    }
    throw unknown(action);
  }

  /** The refusal of an action of a kind that HBase did not have when this was written. */
  public static IllegalArgumentException unknown(Row action) {
    return new IllegalArgumentException(
        "action of an unknown kind on a spread row: " + action.getClass().getName());
  }

  private static void copyVersions(TimeRange time, int versions, Get to) {
    try {
      to.setTimeRange(time.getMin(), time.getMax()).readVersions(versions);
    } catch (IOException e) {
      throw new IllegalStateException("what another read has can be set", e);
    }
  }

  private static void copyQuery(Query from, Query to) {
    from.getColumnFamilyTimeRange()
        .forEach((f, range) -> to.setColumnFamilyTimeRange(f, range.getMin(), range.getMax()));
    to.setConsistency(from.getConsistency());
    to.setReplicaId(from.getReplicaId());
    Boolean onDemand = from.getLoadColumnFamiliesOnDemandValue();
    if (onDemand != null) {
      to.setLoadColumnFamiliesOnDemand(onDemand);
    }
    to.setPriority(from.getPriority());
    QueryMetricsSetting.copy(from, to);
  }

  private static void copyAttributes(
      OperationWithAttributes from, OperationWithAttributes to, Set<String> without) {
    from.getAttributesMap()
        .forEach(
            (name, value) -> {
              if (!without.contains(name)) {
                to.setAttribute(name, value);
              }
            });
  }
}
