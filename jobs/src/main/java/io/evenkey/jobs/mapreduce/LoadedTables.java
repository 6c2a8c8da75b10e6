/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.jobs.guard.Capability;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/**
 * The tables that one bulk load writes: a table and the tables of its indexes. If there are
 * several, a key of the job is one byte, the number of the table, followed by the row; and the job
 * has a task for each region of each table. Immutable.
 *
 * @param name the name by which applications use the first table
 * @param descriptors HBase's descriptors of the tables
 * @param indexes the indexes, in the order of their tables
 */
public record LoadedTables(
    TableName name, List<TableDescriptor> descriptors, TableIndexes indexes) {
  private static final String NAME = "evenkey.load.name";
  private static final String INDEXES = "evenkey.load.indexes";

  /** Copies the list. */
  public LoadedTables {
    descriptors = List.copyOf(descriptors);
  }

  /**
   * Looks up the tables of a load.
   *
   * @param plain a connection whose rows are physical rows
   * @param name the name by which applications use the table
   * @param physical HBase's name of the table
   * @throws IndexRefusedException if HFiles of an index cannot be made
   * @throws IOException if a descriptor cannot be read
   */
  public static LoadedTables of(Connection plain, TableName name, TableName physical)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor table = admin.getDescriptor(physical);
      TableIndexes indexes = TableLayout.indexes(table);
      List<TableDescriptor> descriptors = new ArrayList<>(List.of(table));
      if (!indexes.isEmpty()) {
        checkProtocols(name, indexes);
        checkGuard(plain, physical);
        try (SpreadTables tables = SpreadTables.on(plain)) {
          for (TableIndex index : indexes.list()) {
            TableName entries = TableName.valueOf(index.tableName(name.getNameAsString()));
            descriptors.add(admin.getDescriptor(tables.physical(entries)));
          }
        }
      }
      return new LoadedTables(name, descriptors, indexes);
    }
  }

  // A file has puts of one timestamp: beside later ones of some columns, they would leave mixtures.
  private static void checkProtocols(TableName name, TableIndexes indexes)
      throws IndexRefusedException {
    for (TableIndex index : indexes.list()) {
      if (index.protocol().changesRows()) {
        throw IndexRefusedException.of(
            name,
            "bulk load into a table with an index of mutable rows, whose old values it does not"
                + " read",
            "index=" + index.name(),
            "write by puts, not in bulk, or drop the index and add it again afterwards");
      }
    }
  }

  // Without it, nothing refuses the files if an index is swept or dropped before they are loaded.
  private static void checkGuard(Connection plain, TableName physical) throws IOException {
    try (GuardControl guard = GuardControl.open(plain)) {
      guard.check(physical, Capability.INDEXES);
    }
  }

  /** Reads the tables that {@link #addTo} put into a job's configuration. */
  public static LoadedTables in(Configuration configuration) throws IOException {
    TableName name = TableName.valueOf(configuration.get(NAME, ""));
    List<TableDescriptor> descriptors = HFiles.tables(configuration);
    return new LoadedTables(
        name, descriptors, TableLayout.parseIndexes(name, configuration.get(INDEXES, "")));
  }

  /** Puts the tables into a job's configuration, for its tasks. */
  public void addTo(Configuration configuration) {
    configuration.set(NAME, name.getNameAsString());
    configuration.set(INDEXES, TableLayout.indexesText(descriptors.get(0)));
    HFiles.addTables(configuration, descriptors);
  }

  /** Whether the table has indexes. */
  public boolean hasIndexes() {
    return descriptors.size() > 1;
  }

  /**
   * Returns the job's key of a physical row.
   *
   * @param table the number of its table, from 0
   */
  public byte[] key(int table, byte[] row) {
    if (!hasIndexes()) {
      return row;
    }
    byte[] key = new byte[1 + row.length];
    key[0] = (byte) table;
    System.arraycopy(row, 0, key, 1, row.length);
    return key;
  }

  /** Returns the physical row of a job's key. */
  public byte[] row(byte[] key) {
    return hasIndexes() ? Arrays.copyOfRange(key, 1, key.length) : key;
  }

  /** Whether a job's key belongs to an index entry instead of a row of the first table. */
  public boolean isEntry(byte[] key) {
    return hasIndexes() && key[0] != 0;
  }

  /**
   * Returns the job's first keys of all regions of all tables, in ascending order: the partitions
   * of the job. Looks the regions up.
   */
  public List<byte[]> starts(Connection plain) throws IOException {
    List<byte[]> starts = new ArrayList<>();
    for (int table = 0; table < descriptors.size(); table++) {
      try (RegionLocator regions = plain.getRegionLocator(descriptors.get(table).getTableName())) {
        for (byte[] start : regions.getStartKeys()) {
          starts.add(key(table, start));
        }
      }
    }
    return starts;
  }

  /** Has the job sort the rows of all tables, one reducer for each region. */
  void partition(Job job, Connection plain, Path file) throws IOException {
    List<byte[]> starts = starts(plain);
    Configuration configuration = job.getConfiguration();
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            configuration,
            SequenceFile.Writer.file(file),
            SequenceFile.Writer.keyClass(ImmutableBytesWritable.class),
            SequenceFile.Writer.valueClass(NullWritable.class))) {
      // Before the first one is nothing.
      for (byte[] start : starts.subList(1, starts.size())) {
        writer.append(new ImmutableBytesWritable(start), NullWritable.get());
      }
    }
    job.setNumReduceTasks(starts.size());
    job.setPartitionerClass(TotalOrderPartitioner.class);
    TotalOrderPartitioner.setPartitionFile(configuration, file);
  }

  /**
   * Hands the HFiles of a job to HBase. The files of the indexes go first, so that no row is
   * without its entries.
   *
   * @param settings HBase's settings of the load
   * @param output the directory that the job has written to
   * @throws IOException if region servers reject a file
   */
  public void load(Configuration settings, Path output) throws IOException {
    for (int table = descriptors.size() - 1; table >= 0; table--) {
      HFiles.load(
          settings,
          HFiles.directory(output, table, descriptors.size()),
          descriptors.get(table).getTableName());
    }
  }
}
