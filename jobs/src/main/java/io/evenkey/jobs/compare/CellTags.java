/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;

/**
 * The tags of cells: time to live, visibility labels and rights of single cells. Region servers
 * send them only to connections that ask for them, and store those that such a connection writes.
 * Stateless.
 */
public final class CellTags {
  private CellTags() {}

  /** Returns a copy of the configuration for connections that read and write tags. */
  public static Configuration read(Configuration configuration) {
    Configuration tagged = new Configuration(configuration);
    tagged.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    return tagged;
  }
}
