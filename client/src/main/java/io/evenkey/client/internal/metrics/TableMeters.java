/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Prefix;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;

/**
 * Operations on one spread table, and where its writes go, all of this JVM's.
 *
 * <table>
 *   <caption>Meters, with the tags {@code cluster} and {@code table}</caption>
 *   <tr><td>{@code evenkey.operations}</td><td>what the application asks for, by {@code
 *       operation}: put, get, delete, append, increment, mutations, check; those of lists, batches
 *       and buffered mutators each by itself</td></tr>
 *   <tr><td>{@code evenkey.writes}</td><td>mutations of a row that are sent to servers</td></tr>
 *   <tr><td>{@code evenkey.writes.skew}</td><td>the busiest bucket's share of the writes of the last
 *       minutes over the mean share; 1 is even. Of layouts of up to {@value #MOST_BUCKETS} buckets</td></tr>
 *   <tr><td>{@code evenkey.rows.foreign}</td><td>how often a row was read that was not written
 *       under the table's layout</td></tr>
 * </table>
 *
 * <p><b>What is counted.</b> A put, delete, append or increment is one operation and one write. A
 * {@code RowMutations} is one operation, and as many writes as it has mutations; a check is one
 * operation, and as many writes as it makes if it passes, whether it does or not. A get is one
 * operation, also where a random salt makes it read all buckets. Hot keys are counted as writes
 * are. HBase's own counts of write requests of a region are of the same things. An operation that
 * is refused here counts nothing; what HBase repeats after a failure counts once. Mutations of a
 * table in two generations are counted for each generation.
 *
 * <p>Thread-safe.
 */
public final class TableMeters {
  /** Kinds of operations. */
  public enum Operation {
    /** A row written. */
    PUT("Put"),
    /** A row read. */
    GET("Get"),
    /** A row, or some of it, deleted. */
    DELETE("Delete"),
    /** Something appended to a row. */
    APPEND("Append"),
    /** Numbers of a row incremented. */
    INCREMENT("Increment"),
    /** Several mutations of a row at once. */
    MUTATIONS("RowMutations"),
    /** A mutation with a condition. */
    CHECK("CheckAndMutate");

    private final String action;

    Operation(String action) {
      this.action = action;
    }

    /** HBase's name of the action. */
    public String action() {
      return action;
    }

    /** The operation of one mutation. */
    public static Operation of(Mutation mutation) {
      if (mutation instanceof Put) {
        return PUT;
      } else if (mutation instanceof Delete) {
        return DELETE;
      }
      return mutation instanceof Append ? APPEND : INCREMENT;
    }
  }

  private static final int MOST_BUCKETS = 256;
  private static final Map<String, TableMeters> ALL = new ConcurrentHashMap<>();

  private final Map<Operation, LongAdder> operations = new EnumMap<>(Operation.class);
  private final LongAdder allWrites = new LongAdder();
  private final @Nullable BucketSkew buckets;
  private final ForeignRows foreign;

  private TableMeters(@Nullable BucketSkew buckets, ForeignRows foreign) {
    this.buckets = buckets;
    this.foreign = foreign;
    for (Operation operation : Operation.values()) {
      operations.put(operation, new LongAdder());
    }
  }

  private LongAdder counter(Operation operation) {
    return Objects.requireNonNull(operations.get(operation));
  }

  /**
   * The meters of a table: the same ones for all connections.
   *
   * @param cluster a name by which clusters are distinguished
   */
  public static TableMeters of(String cluster, String table, Layout layout) {
    return ALL.computeIfAbsent(
        cluster + " " + table + " " + layout, key -> registered(cluster, table, layout));
  }

  private static TableMeters registered(String cluster, String table, Layout layout) {
    Prefix prefix = layout.spread().prefix();
    int count = layout.buckets().orElse(0);
    BucketSkew skew =
        prefix != null && count > 1 && count <= MOST_BUCKETS
            ? new BucketSkew(prefix, count, System::nanoTime)
            : null;
    TableMeters meters = new TableMeters(skew, new ForeignRows(table, layout));
    String[] tags = {"cluster", cluster, "table", table, "layout", layout.toString()};
    for (Operation operation : Operation.values()) {
      String[] all = Arrays.copyOf(tags, tags.length + 2);
      all[tags.length] = "operation";
      all[tags.length + 1] = operation.name().toLowerCase(Locale.ROOT);
      MeterHome.counter(
          new Meters.Name("evenkey.operations", "Operations on spread tables", null, all),
          meters.counter(operation),
          LongAdder::sum);
    }
    MeterHome.counter(
        new Meters.Name("evenkey.writes", "Mutations of rows of spread tables", null, tags),
        meters.allWrites,
        LongAdder::sum);
    MeterHome.counter(
        new Meters.Name(
            "evenkey.rows.foreign",
            "Rows read that were not written under the table's layout",
            null,
            tags),
        meters.foreign,
        ForeignRows::count);
    if (skew != null) {
      MeterHome.gauge(
          new Meters.Name(
              "evenkey.writes.skew",
              "Busiest bucket's share of the writes over the mean share",
              null,
              tags),
          skew,
          BucketSkew::now);
    }
    return meters;
  }

  /** The rows that the layout cannot have written. */
  public ForeignRows foreign() {
    return foreign;
  }

  /**
   * Counts an operation on a physical row.
   *
   * @param mutations the number of its mutations of the row; 0 for a read
   */
  public void count(Operation operation, byte[] row, int mutations) {
    counter(operation).increment();
    if (mutations == 0) {
      return;
    }
    allWrites.add(mutations);
    BucketSkew counted = buckets;
    if (counted != null) {
      counted.count(row, mutations);
    }
  }

  /** The number of such operations. */
  public long operations(Operation operation) {
    return counter(operation).sum();
  }

  /** The number of mutations of rows that were sent. */
  public long writes() {
    return allWrites.sum();
  }

  /** The skew of the last minutes; 1 if the table has no buckets. See {@link BucketSkew#now}. */
  public double skew() {
    BucketSkew counted = buckets;
    return counted == null ? 1 : counted.now();
  }
}
