/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the release lines of HBase's client: attributes of connections and
 * requests, which came with 2.6, and the constructors of HBase's own connections that take them.
 *
 * <p>The line is the one of the jar on the class path, and the class of the other line is never
 * loaded. All calls of methods that a line lacks are in its subclasses, and in the overrides that
 * only applications of that line call. It is in HBase's package, since the constructors are visible
 * only here. Thread-safe.
 */
public abstract sealed class HBaseLine permits Line25, Line26 {
  // Apart, since a class must not make its subclasses while it is initialized.
  private static final class Present {
    // By methods of theirs: a constructor here would make the verifier load both.
    static final HBaseLine LINE = hasRequestAttributes() ? Line26.line() : Line25.line();
  }

  /** The line of the jar on the class path. */
  public static HBaseLine present() {
    return Present.LINE;
  }

  private static boolean hasRequestAttributes() {
    try {
      Table.class.getMethod("getRequestAttributes");
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** HBase's own connection, as its factory makes one if nothing else is set. */
  abstract ConnectionImplementation connection(
      Configuration configuration,
      @Nullable ExecutorService pool,
      User user,
      Map<String, byte[]> attributes)
      throws IOException;

  /** HBase's own asynchronous connection, for a cluster that is known already. */
  public abstract AsyncConnection asyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes);

  /** An asynchronous connection as HBase's factory makes it. */
  public abstract CompletableFuture<AsyncConnection> connect(
      Configuration configuration, User user, Map<String, byte[]> attributes);

  /** Gives the builder the request attributes of a table. */
  public abstract void copyAttributes(Table from, TableBuilder to);

  /** Gives the builder the request attributes of a table. */
  public abstract void copyAttributes(Table from, AsyncTableBuilder<?> to);

  /** Gives the builder the request attributes of a mutator. */
  public abstract void copyAttributes(BufferedMutatorParams from, AsyncTableBuilder<?> to);

  /** Gives the parameters the request attributes of others. */
  public abstract void copyAttributes(BufferedMutatorParams from, BufferedMutatorParams to);
}
