/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.filter.FilterMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.mapreduce.MultiTableSnapshotInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;

/**
 * What a job reads: a spread table or a snapshot of one, and which rows and columns. MapReduce jobs
 * take it by {@link #configure(Job)}; Spark's {@code newAPIHadoopRDD} and jobs in other languages
 * by {@link #addTo(Configuration)}:
 *
 * <pre>{@code
 * Scan columns = new Scan().addFamily(Bytes.toBytes("d")).setCaching(1_000);
 * TableInput input =
 *     TableInput.of(TableName.valueOf("readings")).where("ts >= 2026-01-01").with(columns);
 * input.configure(job); // for MapReduce
 * input.addTo(configuration); // for Spark
 * }</pre>
 *
 * <p>The condition narrows the ranges that the job reads, so a condition on leading fields starts
 * fewer tasks. Immutable and thread-safe.
 *
 * @param table the table; null for a snapshot
 * @param snapshot the snapshot; null for a table
 * @param where the condition on the fields of the key; null for all rows
 * @param scan families, columns, time range, versions and caching; without bounds, and without a
 *     filter that looks at the row
 */
public record TableInput(
    @Nullable TableName table, @Nullable String snapshot, @Nullable String where, Scan scan) {
  /** The configuration key of the table's name. */
  public static final String TABLE = "evenkey.input.table";

  /** The configuration key of the condition on the fields of the key. */
  public static final String WHERE = "evenkey.input.where";

  /**
   * The configuration key of the scan, in the form in which HBase writes scans into configurations.
   */
  public static final String SCAN = "evenkey.input.scan";

  /** Configuration key: the layout of a snapshot; set with it. */
  static final String LAYOUT = "evenkey.input.layout";

  private static final int USUAL_CACHING = 1_000;

  /**
   * Checks the scan.
   *
   * @throws IllegalArgumentException if it has bounds, or a filter that looks at rows
   */
  public TableInput {
    Filter filter = scan.getFilter();
    if (scan.getStartRow().length + scan.getStopRow().length > 0
        || filter != null && !FilterMapping.looksAtNoRow(filter)) {
      throw new EvenkeyArgumentException(
          "scan of a job has bounds, or a filter that looks at the row; give the rows as a"
              + " condition on the fields of the key, and filter in the job");
    }
  }

  /** Returns the input of all rows of a table. */
  public static TableInput of(TableName table) {
    return new TableInput(table, null, null, usual());
  }

  /**
   * Returns the input of all rows of a snapshot. Tasks read its files on HBase's file system,
   * without a request to region servers.
   */
  public static TableInput ofSnapshot(String snapshot) {
    return new TableInput(null, snapshot, null, usual());
  }

  private static Scan usual() {
    // A job reads everything once: it should not push out what others read often.
    return new Scan().setCaching(USUAL_CACHING).setCacheBlocks(false);
  }

  /**
   * Returns this input with a condition on the fields of the key, which replaces an earlier one.
   * {@link io.evenkey.layout.scatter.Where#parse} has the grammar; a mistake is found when the job
   * is configured or started.
   */
  public TableInput where(String condition) {
    return new TableInput(table, snapshot, condition, scan);
  }

  /**
   * Returns this input with the columns, versions and time range of a scan.
   *
   * @throws IllegalArgumentException if the scan has bounds, or a filter that looks at rows
   */
  public TableInput with(Scan of) {
    return new TableInput(table, snapshot, where, of);
  }

  /**
   * Puts a table into a job's configuration, such as that of Spark's {@code newAPIHadoopRDD}.
   *
   * @throws IllegalStateException if this is a snapshot: it needs a directory to be restored to
   */
  public void addTo(Configuration configuration) throws IOException {
    if (table == null) {
      throw new IllegalStateException("snapshot without a directory to restore it to: " + snapshot);
    }
    configuration.set(TABLE, table.getNameAsString());
    addRest(configuration);
  }

  /**
   * Puts a snapshot into a job's configuration.
   *
   * @param restoreDir a directory on HBase's file system, outside of HBase's own, which gets
   *     references to the snapshot's files; delete it after the job
   * @throws IOException if the snapshot does not exist, or if its table had no layout
   */
  public void addTo(Configuration configuration, Path restoreDir) throws IOException {
    if (snapshot == null) {
      addTo(configuration);
      return;
    }
    Path root = CommonFSUtils.getRootDir(configuration);
    FileSystem files = root.getFileSystem(configuration);
    Path directory = SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root);
    SnapshotManifest manifest =
        SnapshotManifest.open(
            configuration,
            files,
            directory,
            SnapshotDescriptionUtils.readSnapshotInfo(files, directory));
    Layout layout = layout(manifest.getTableDescriptor());
    configuration.set(LAYOUT, layout.toString());
    addRest(configuration);
    MultiTableSnapshotInputFormat.setInput(
        configuration, Map.of(snapshot, scans(new Stored(layout, TableIndexes.NONE))), restoreDir);
  }

  private void addRest(Configuration configuration) throws IOException {
    if (where != null) {
      configuration.set(WHERE, where);
    }
    configuration.set(SCAN, TableMapReduceUtil.convertScanToString(scan));
  }

  /**
   * Makes a MapReduce job read a table: sets the input format and ships the jars that tasks need.
   *
   * @throws IllegalStateException if this is a snapshot
   */
  public void configure(Job job) throws IOException {
    addTo(job.getConfiguration());
    finish(job);
  }

  /** Makes a MapReduce job read a snapshot; see {@link #addTo(Configuration, Path)}. */
  public void configure(Job job, Path restoreDir) throws IOException {
    addTo(job.getConfiguration(), restoreDir);
    finish(job);
  }

  private static void finish(Job job) throws IOException {
    job.setInputFormatClass(EvenkeyInputFormat.class);
    TableJob.addJars(job, TableInput.class);
    TableMapReduceUtil.initCredentials(job);
  }

  /** Reads it from a job's configuration. */
  static TableInput from(Configuration configuration) throws IOException {
    String name = configuration.get(TABLE);
    String line = configuration.get(LAYOUT);
    if (name == null && line == null) {
      throw new EvenkeyException(
          "no table to read: set " + TABLE + ", or use TableInput to configure the job");
    }
    String scan = configuration.get(SCAN);
    return new TableInput(
        name == null ? null : generation(configuration, TableName.valueOf(name)),
        name == null ? "" : null,
        configuration.getRaw(WHERE),
        scan == null ? usual() : TableMapReduceUtil.convertStringToScan(scan));
  }

  // A table that was migrated is read where it is now.
  private static TableName generation(Configuration configuration, TableName table)
      throws IOException {
    try (Connection connection =
            ConnectionFactory.createConnection(EvenkeyConnection.plain(configuration));
        SpreadTables tables = SpreadTables.on(connection)) {
      return tables.physical(table);
    }
  }

  /**
   * The description of what is read.
   *
   * @param layout the layout of its rows
   * @param indexes the indexes of the table, which requests name; none for a snapshot
   */
  record Stored(Layout layout, TableIndexes indexes) {}

  /** The physical scans that together read this. */
  List<Scan> scans(Stored stored) throws IOException {
    Layout layout = stored.layout();
    List<Scan> scans = new ArrayList<>();
    Scatter scatter =
        where == null ? layout.scatter(KeyRange.all()) : layout.scatter(layout.where(where));
    for (KeyRange scattered : scatter.ranges()) {
      KeyRange range = scattered.upTo(HConstants.MAX_ROW_LENGTH);
      Scan physical = new Scan(scan).withStartRow(range.start()).withStopRow(range.stop());
      if (table != null) {
        boolean isPlain = layout.isPlain() && stored.indexes().isEmpty();
        physical.setAttribute(
            isPlain ? GuardAttributes.PLAIN : GuardAttributes.LAYOUT,
            Stamp.of(layout, stored.indexes()));
        physical.setAttribute(Scan.SCAN_ATTRIBUTES_TABLE_NAME, table.getName());
      }
      scans.add(physical);
    }
    return scans;
  }

  /** The layout of what is read, and its indexes. */
  Stored stored(Configuration plain) throws IOException {
    String line = plain.get(LAYOUT);
    if (table == null) {
      return new Stored(Layout.parse(String.valueOf(line)), TableIndexes.NONE);
    }
    try (Connection connection = ConnectionFactory.createConnection(plain);
        Admin admin = connection.getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(table);
      return new Stored(layout(descriptor), TableLayout.indexes(descriptor));
    }
  }

  private static Layout layout(TableDescriptor descriptor) throws IOException {
    Layout layout = TableLayout.of(descriptor);
    if (layout == null) {
      throw new EvenkeyException(
          FailureMessage.of("table without a layout")
              .with("table", descriptor.getTableName())
              .remedy("read it with HBase's TableInputFormat, or adopt it"));
    }
    return layout;
  }
}
