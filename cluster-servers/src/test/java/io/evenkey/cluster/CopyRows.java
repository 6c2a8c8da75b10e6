/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static java.util.Objects.requireNonNull;

import io.evenkey.jobs.mapreduce.TableJob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.mapreduce.Job;

/** An application's job, which knows HBase's formats and nothing of layouts: copies a table. */
final class CopyRows extends TableMapper<ImmutableBytesWritable, Mutation> {
  static final String NAME = "copy rows";

  @Override
  protected void map(ImmutableBytesWritable key, Result row, Context context)
      throws IOException, InterruptedException {
    Put put = new Put(key.copyBytes());
    for (Cell cell : row.rawCells()) {
      put.add(cell);
    }
    context.write(key, put);
  }

  /**
   * The job, with the jars that its tasks need.
   *
   * @param jar where the application's own jar is made, which has this class alone
   */
  static Job job(Configuration settings, TableName from, TableName into, Path jar)
      throws IOException {
    String own = CopyRows.class.getName().replace('.', '/') + ".class";
    try (InputStream in = requireNonNull(CopyRows.class.getResourceAsStream("/" + own));
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry(own));
      in.transferTo(out);
    }
    Job job = Job.getInstance(settings, NAME);
    job.setJar(jar.toString());
    TableMapReduceUtil.initTableMapperJob(
        from.getNameAsString(),
        new Scan(),
        CopyRows.class,
        ImmutableBytesWritable.class,
        Mutation.class,
        job,
        true);
    TableMapReduceUtil.initTableReducerJob(into.getNameAsString(), null, job);
    TableJob.addDependencyJars(job);
    job.setNumReduceTasks(0);
    return job;
  }
}
