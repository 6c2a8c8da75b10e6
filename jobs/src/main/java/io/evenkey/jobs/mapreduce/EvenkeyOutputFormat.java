/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.EvenkeyConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;

/**
 * HBase's {@link TableOutputFormat} for spread tables: the rows of the mutations that a job writes
 * are logical keys. The table is {@link TableOutputFormat#OUTPUT_TABLE}.
 *
 * @param <K> the type of the keys, which are ignored
 */
public final class EvenkeyOutputFormat<K> extends TableOutputFormat<K> {
  @Override
  public void setConf(Configuration configuration) {
    Configuration spread = new Configuration(configuration);
    spread.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    super.setConf(spread);
  }
}
