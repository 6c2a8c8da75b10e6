/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.jspecify.annotations.Nullable;

/** A region server whose data need not outlive it. As thread-safe as HBase's own. */
final class TransientServer extends HRegionServer {
  private volatile boolean leaving;

  /** For HBase, which makes its servers by reflection. */
  public TransientServer(Configuration configuration) throws IOException {
    super(configuration);
  }

  /** Stops, and writes out nothing: in tests of many tables, flushing all regions took longest. */
  void leave() {
    leaving = true;
    kill();
  }

  // HBase ends a kill so, with an error in the log.
  @Override
  public void abort(String reason, @Nullable Throwable cause) {
    if (leaving) {
      stop("closed with all that it holds");
    } else {
      super.abort(reason, cause);
    }
  }
}
