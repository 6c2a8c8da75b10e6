/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.tck.IndexedTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;

/**
 * Evenkey's connection for tests that cast every connection to HBase's private class: it extends
 * that class, and delegates to Evenkey's connection.
 */
public class JudgedConnection extends ConnectionImplementation {
  /** More than any test needs of one locator. */
  private static final int MOST_LOOKUPS = 100_000;

  private final EvenkeyConnection judged;

  JudgedConnection(
      Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    super(conf, pool, user, attributes);
    judged = new EvenkeyConnection(conf, pool, user, attributes);
  }

  @Override
  public TableBuilder getTableBuilder(TableName name, ExecutorService pool) {
    IndexedTables.complete(name, getConfiguration());
    return judged.getTableBuilder(name, pool);
  }

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) {
    try {
      return judged.getBufferedMutator(params);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) {
    return getBufferedMutator(new BufferedMutatorParams(name));
  }

  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    return bounded(judged.getRegionLocator(name));
  }

  // A test that takes the boundaries of regions for keys would go on until the memory is full.
  private static RegionLocator bounded(RegionLocator locator) {
    AtomicInteger calls = new AtomicInteger();
    return (RegionLocator)
        Proxy.newProxyInstance(
            JudgedConnection.class.getClassLoader(),
            new Class<?>[] {RegionLocator.class},
            (proxy, method, arguments) -> {
              if (calls.incrementAndGet() > MOST_LOOKUPS) {
                throw new IOException("region locator called without end: calls=" + calls);
              }
              try {
                return method.invoke(locator, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Admin getAdmin() throws IOException {
    return judged.getAdmin();
  }

  @Override
  public void close() {
    try {
      judged.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      super.close();
    }
  }
}
