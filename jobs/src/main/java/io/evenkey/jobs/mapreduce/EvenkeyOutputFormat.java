/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.EvenkeyConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;

/**
 * The output format of MapReduce and Spark jobs that write to a spread table: HBase's {@link
 * TableOutputFormat}, but the rows of puts and deletes are logical keys.
 *
 * <pre>{@code
 * Job job = Job.getInstance(configuration);
 * job.setOutputFormatClass(EvenkeyOutputFormat.class);
 * job.getConfiguration().set(TableOutputFormat.OUTPUT_TABLE, "readings");
 * }</pre>
 *
 * <p>Each task buffers its writes and flushes them at its end. A task that is run again writes its
 * rows again, with new timestamps unless the job sets them.
 *
 * @param <K> the type of the keys, which are ignored
 */
public final class EvenkeyOutputFormat<K> extends TableOutputFormat<K> {
  /** Takes the job's configuration, and sets Evenkey's connection in it. */
  @Override
  public void setConf(Configuration configuration) {
    Configuration spread = new Configuration(configuration);
    spread.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    super.setConf(spread);
  }
}
