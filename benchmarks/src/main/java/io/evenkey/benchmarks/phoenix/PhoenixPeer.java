/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.phoenix;

import io.evenkey.benchmarks.bench.ComparedStore;
import io.evenkey.benchmarks.bench.IndexKind;
import io.evenkey.benchmarks.bench.IndexSide;
import io.evenkey.benchmarks.bench.Peer;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Phoenix, in the HBase that the others use too. */
public final class PhoenixPeer implements Peer {
  @Override
  public String name() {
    return "phoenix";
  }

  /** The setting that Phoenix's manual advises. */
  @Override
  public Map<String, String> settings() {
    return Map.of(
        "hbase.regionserver.wal.codec",
        "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec",
        "hbase.table.sanity.checks",
        "false");
  }

  @Override
  public ComparedStore connect(Configuration configuration) throws IOException {
    return new PhoenixSide(PhoenixConnections.to(configuration));
  }

  @Override
  public IndexSide connect(Configuration configuration, IndexKind kind, int buckets)
      throws IOException {
    return PhoenixIndexSide.create(PhoenixConnections.to(configuration), kind, buckets);
  }
}
