/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Pair;

/** Another coprocessor, which runs after the guard and refuses files of some names. */
public final class RefusedLoads implements RegionCoprocessor, RegionObserver {
  static final String REFUSED = "refused";

  /** For HBase. */
  public RefusedLoads() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> files)
      throws DoNotRetryIOException {
    if (files.stream().anyMatch(file -> file.getSecond().contains(REFUSED))) {
      throw new DoNotRetryIOException("refused by a test");
    }
  }
}
