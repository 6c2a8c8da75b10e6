/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.server.hooks.Hooks;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionServerCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;

/**
 * Copies the layout of a replicated table from the entries of the source's write-ahead log, where
 * the guard there {@linkplain RegionGuard#append has put it}, to the mutations that a sink makes of
 * them, so that the guard of their region can name it. For bulk-loaded files it asks the guard of
 * the table before a sink loads them, since requests of bulk loads have no attributes. Stateless.
 *
 * <p>HBase calls it for region servers and not for regions. The guard of the first region that
 * opens adds it to those of its server, so no setting names it.
 */
public final class SinkObserver implements RegionServerCoprocessor, RegionServerObserver {
  /** For HBase. */
  public SinkObserver() {}

  /** Adds it to the coprocessors of a region server, once. */
  static void addTo(OnlineRegions regions) throws IOException {
    if (!(regions instanceof HRegionServer server)) {
      return;
    }
    RegionServerCoprocessorHost host = server.getRegionServerCoprocessorHost();
    synchronized (host) {
      if (host.findCoprocessor(SinkObserver.class.getName()) == null) {
        host.load(SinkObserver.class, Coprocessor.PRIORITY_USER, server.getConfiguration());
      }
    }
  }

  @Override
  public Optional<RegionServerObserver> getRegionServerObserver() {
    return Optional.of(this);
  }

  /** A failure leaves the layout unknown, and the row is taken or rejected by its bytes. */
  @Override
  public void preReplicationSinkBatchMutate(
      ObserverContext<RegionServerCoprocessorEnvironment> c,
      AdminProtos.WALEntry entry,
      Mutation mutation) {
    Hooks.attempt("preReplicationSinkBatchMutate", c, () -> copy(entry.getKey(), mutation));
  }

  /** Rejects the entries if some are of files of another layout than that of their table here. */
  @Override
  @SuppressWarnings("deprecation") // HBase keeps it for its access control, and has no other
  public void preReplicateLogEntries(ObserverContext<RegionServerCoprocessorEnvironment> c)
      throws IOException {
    Hooks.run(
        "preReplicateLogEntries",
        c,
        () -> {
          RpcCall call = RpcServer.getCurrentCall().orElse(null);
          if (call != null
              && call.getParam() instanceof AdminProtos.ReplicateWALEntryRequest request) {
            for (SourceFiles files : SourceFiles.in(request)) {
              files.check(c.getEnvironment().getConnection());
            }
          }
        });
  }

  private static void copy(WALProtos.WALKey key, Mutation mutation) {
    for (WALProtos.Attribute attribute : key.getExtendedAttributesList()) {
      String name = attribute.getKey();
      if (name.equals(GuardAttributes.SOURCE_LAYOUT) || name.equals(GuardAttributes.SOURCE_TURN)) {
        mutation.setAttribute(name, attribute.getValue().toByteArray());
      }
    }
  }
}
