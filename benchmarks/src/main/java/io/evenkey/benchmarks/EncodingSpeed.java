/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.load.RecordRows;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * The size of tables of the same records under several block encodings, and the speed of writes and
 * reads, by turns on one HBase. The blocks are in the cache, so the work of decoding them is seen,
 * not that of disks.
 */
public final class EncodingSpeed {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final List<DataBlockEncoding> ENCODINGS =
      List.of(DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1, DataBlockEncoding.FAST_DIFF);
  private static final int SERVERS = 3;

  /** The first one warms up. */
  private static final int ROUNDS = 6;

  private static final int WARM_UP = 1;
  private static final int GETS = 2_000;
  private static final int SHORT_SCANS = 500;
  private static final int LONG_SCANS = 2;
  private static final long POLL_MS = 50;

  private final EmbeddedHBase hbase;
  private final Layout layout;
  private final List<Put> puts;
  private final List<SpreadTable> tables = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  private EncodingSpeed(EmbeddedHBase hbase, Layout layout, List<Put> puts) {
    this.hbase = hbase;
    this.layout = layout;
    this.puts = puts;
  }

  /**
   * Measures.
   *
   * @param arguments a file of records, and a layout whose fields are columns of it
   */
  public static void main(String[] arguments) throws Exception {
    Layout layout = Layout.parse(arguments[1]);
    List<Put> puts = puts(arguments[0], layout);
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(SERVERS).start();
        SpreadTables open = SpreadTables.on(hbase.connection())) {
      new EncodingSpeed(hbase, layout, puts).run(open);
    }
  }

  private static List<Put> puts(String file, Layout layout) throws IOException {
    Input input = Input.file(java.nio.file.Path.of(file));
    RecordSource source = Format.of(input.name()).read(input);
    RecordRows rows =
        RecordRows.of(source, layout, List.of(), Bytes.toString(FAMILY), List.of(), null);
    List<Put> puts = new ArrayList<>();
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        Put put = new Put(rows.logicalKey(records));
        rows.values(records)
            .forEach(value -> put.addColumn(value.family(), value.qualifier(), value.bytes()));
        if (put.isEmpty()) {
          put.addColumn(FAMILY, null, null);
        }
        puts.add(put);
      }
    }
    return puts;
  }

  /**
   * A measurement that each round makes once for each table. The result is a rate: more is better.
   */
  private interface Work {
    double rate(SpreadTable table) throws IOException;
  }

  private void run(SpreadTables open) throws IOException, InterruptedException {
    for (DataBlockEncoding encoding : ENCODINGS) {
      tables.add(create(open, encoding));
    }
    Figures.say("%,d records, %s", puts.size(), layout);
    Map<String, double[][]> rates = new LinkedHashMap<>();
    rates.put("writes", rounds(this::write));
    double[] bytes = new double[ENCODINGS.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (double) compactedBytes(tables.get(i).generation()) / puts.size();
    }
    rates.put("gets", rounds(this::get));
    rates.put("LIMIT 10", rounds(this::readTen));
    rates.put("whole scans", rounds(this::readAll));
    for (int i = 0; i < bytes.length; i++) {
      Figures.say(
          "%-12s %.1f bytes a record, of NONE %.2f",
          ENCODINGS.get(i), bytes[i], bytes[i] / bytes[0]);
    }
    rates.forEach(
        (what, of) -> {
          for (int i = 0; i < of.length; i++) {
            Figures.say(
                "%-12s %-12s %,12.0f/s, of NONE %.2f",
                what,
                ENCODINGS.get(i),
                Figures.median(Arrays.stream(of[i])),
                Figures.median(ratios(of[i], of[0])));
          }
        });
  }

  private SpreadTable create(SpreadTables open, DataBlockEncoding encoding) throws IOException {
    TableName name = TableName.valueOf(encoding.name().toLowerCase(Locale.ROOT));
    SpreadTable table = open.create(name, layout, layout.splits(SERVERS), List.of("d"));
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.modifyColumnFamily(
          name,
          ColumnFamilyDescriptorBuilder.newBuilder(
                  admin.getDescriptor(name).getColumnFamily(FAMILY))
              .setDataBlockEncoding(encoding)
              .build());
    }
    return table;
  }

  private double[][] rounds(Work work) throws IOException {
    double[][] rates = new double[ENCODINGS.size()][ROUNDS - WARM_UP];
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < rates.length; i++) {
        int encoding = (i + round) % rates.length;
        double rate = work.rate(tables.get(encoding));
        if (round >= WARM_UP) {
          rates[encoding][round - WARM_UP] = rate;
        }
      }
    }
    return rates;
  }

  private double write(SpreadTable table) throws IOException {
    long begun = System.nanoTime();
    try (SpreadMutator mutator = table.mutator()) {
      for (Put put : puts) {
        mutator.put(put);
      }
    }
    // The files are encoded by a flush, which is part of the cost.
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.flush(table.generation());
    }
    return rate(puts.size(), begun);
  }

  private double get(SpreadTable table) throws IOException {
    long begun = System.nanoTime();
    for (int i = 0; i < GETS; i++) {
      table.get(new Get(someKey()));
    }
    return rate(GETS, begun);
  }

  private double readTen(SpreadTable table) throws IOException {
    long begun = System.nanoTime();
    for (int i = 0; i < SHORT_SCANS; i++) {
      read(table, KeyRange.of(someKey(), new byte[0]), ScanOptions.all().atMost(10));
    }
    return rate(SHORT_SCANS, begun);
  }

  private double readAll(SpreadTable table) throws IOException {
    long begun = System.nanoTime();
    int rows = 0;
    for (int i = 0; i < LONG_SCANS; i++) {
      rows += read(table, KeyRange.all(), ScanOptions.all());
    }
    return rate(rows, begun);
  }

  private static int read(SpreadTable table, KeyRange range, ScanOptions options)
      throws IOException {
    int rows = 0;
    try (ResultScanner scan = table.scan(range, options)) {
      while (scan.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private byte[] someKey() {
    return puts.get(random.nextInt(puts.size())).getRow();
  }

  private static double rate(int count, long begun) {
    return count / ((System.nanoTime() - begun) / 1e9);
  }

  private long compactedBytes(TableName table) throws IOException, InterruptedException {
    long begun = System.currentTimeMillis();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.majorCompact(table);
      while (admin.getLastMajorCompactionTimestamp(table) < begun
          || admin.getCompactionState(table) != CompactionState.NONE) {
        Thread.sleep(POLL_MS);
      }
    }
    return newestFiles(table).values().stream().mapToLong(FileStatus::getLen).sum();
  }

  /** The newest file of each region; a compaction leaves the earlier ones for some minutes. */
  private Map<Path, FileStatus> newestFiles(TableName table) throws IOException {
    Configuration configuration = hbase.configuration();
    FileStatus[] found =
        CommonFSUtils.getRootDirFileSystem(configuration)
            .globStatus(
                new Path(
                    CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(configuration), table),
                    "*/" + Bytes.toString(FAMILY) + "/[0-9a-f]*"));
    Map<Path, FileStatus> newest = new HashMap<>();
    for (FileStatus file : found) {
      newest.merge(
          file.getPath().getParent(),
          file,
          (one, other) -> one.getModificationTime() > other.getModificationTime() ? one : other);
    }
    return newest;
  }

  private static DoubleStream ratios(double[] of, double[] none) {
    double[] ratios = new double[of.length];
    Arrays.setAll(ratios, i -> of[i] / none[i]);
    return Arrays.stream(ratios);
  }
}
