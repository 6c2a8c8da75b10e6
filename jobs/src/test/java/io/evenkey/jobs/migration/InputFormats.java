/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.jobs.mapreduce.EvenkeyInputFormat;
import io.evenkey.jobs.mapreduce.TableInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.MultiTableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;

/** The formats by which jobs read tables. */
enum InputFormats {
  /** HBase's for one table. */
  TABLE(true) {
    @Override
    ReadJob job(Configuration configuration, TableName table, List<Scan> scans)
        throws IOException, InterruptedException {
      configuration.set(TableInputFormat.INPUT_TABLE, table.getNameAsString());
      configuration.set(
          TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scans.get(0)));
      return ReadJob.of(configuration, ReadJob.OneTable::new);
    }
  },
  /** HBase's for several scans, of which there is one. */
  MULTI(true) {
    @Override
    ReadJob job(Configuration configuration, TableName table, List<Scan> scans)
        throws IOException, InterruptedException {
      return multi(configuration, table, scans);
    }
  },
  /** HBase's for several scans, of two ranges that have no key in common. */
  MULTI_APART(true) {
    @Override
    List<Scan> scans() {
      byte[] middle = {2, 7};
      return List.of(new Scan().withStopRow(middle), new Scan().withStartRow(middle));
    }

    @Override
    ReadJob job(Configuration configuration, TableName table, List<Scan> scans)
        throws IOException, InterruptedException {
      return multi(configuration, table, scans);
    }
  },
  /** HBase's for several scans, of the whole table and of a part of it. */
  MULTI_OVERLAPPING(true) {
    @Override
    List<Scan> scans() {
      return List.of(
          new Scan(), new Scan().withStartRow(new byte[] {1, 7}).withStopRow(new byte[] {4}));
    }

    @Override
    ReadJob job(Configuration configuration, TableName table, List<Scan> scans)
        throws IOException, InterruptedException {
      return multi(configuration, table, scans);
    }
  },
  /** HBase's for Hadoop's first interface. */
  MAPRED(false) {
    @Override
    ReadJob job(Configuration configuration, TableName table, List<Scan> scans) throws IOException {
      JobConf job = new JobConf(configuration);
      FileInputFormat.setInputPaths(job, table.getNameAsString());
      job.set(org.apache.hadoop.hbase.mapred.TableInputFormat.COLUMN_LIST, "d");
      return ReadJob.ofMapred(job);
    }
  },
  /** Evenkey's. */
  EVENKEY(true) {
    @Override
    ReadJob job(Configuration configuration, TableName table, List<Scan> scans)
        throws IOException, InterruptedException {
      TableInput.of(table).addTo(configuration);
      return ReadJob.of(configuration, reader -> new EvenkeyInputFormat());
    }
  };

  private final boolean stored;

  InputFormats(boolean stored) {
    this.stored = stored;
  }

  /** Whether its tasks read ranges of stored rows, which mean others in another generation. */
  boolean readsStoredRanges() {
    return stored;
  }

  List<Scan> scans() {
    return List.of(new Scan());
  }

  final ReadJob job(Configuration configuration, TableName table)
      throws IOException, InterruptedException {
    return job(configuration, table, scans());
  }

  abstract ReadJob job(Configuration configuration, TableName table, List<Scan> scans)
      throws IOException, InterruptedException;

  /** What a job has read if it has read everything as often as its scans say. */
  String allRows() {
    // Every eighth number is there, and those from 264 up to 1,024 are read twice.
    return this == MULTI_OVERLAPPING
        ? "rows=295 distinct=200 first=0"
        : "rows=200 distinct=200 first=0";
  }

  static ReadJob multi(Configuration configuration, TableName table, List<Scan> scans)
      throws IOException, InterruptedException {
    List<String> texts = new ArrayList<>();
    for (Scan scan : scans) {
      Scan named = new Scan(scan);
      named.setAttribute(Scan.SCAN_ATTRIBUTES_TABLE_NAME, table.getName());
      texts.add(TableMapReduceUtil.convertScanToString(named));
    }
    configuration.setStrings(MultiTableInputFormat.SCANS, texts.toArray(new String[0]));
    return ReadJob.of(configuration, ReadJob.SeveralScans::new);
  }
}
