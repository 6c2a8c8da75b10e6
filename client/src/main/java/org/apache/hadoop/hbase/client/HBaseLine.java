/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.trace.TableOperationSpanBuilder;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the release lines of HBase's client. 2.x has two clients, a blocking and
 * an asynchronous one; attributes of connections and requests came with 2.6. In 3.0 the blocking
 * client is a façade over the asynchronous one, and endpoints are called by HBase's own protobuf.
 *
 * <p>The line is the one of the jar on the class path, and the class of the other line is never
 * loaded. All calls of methods that a line lacks are in its subclasses, in classes that only one
 * line uses, and in the overrides that only applications of that line call. It is in HBase's
 * package, since the constructors are visible only here. Thread-safe.
 */
public abstract sealed class HBaseLine permits ClusterLine, Line30 {
  // Apart, since a class must not make its subclasses while it is initialized.
  private static final class Present {
    static final HBaseLine LINE = line();

    // By methods of theirs: a constructor here would make the verifier load them all.
    private static HBaseLine line() {
      if (!hasClusterConnection()) {
        return Line30.line();
      }
      return hasRequestAttributes() ? Line26.line() : Line25.line();
    }
  }

  /** The line of the jar on the class path. */
  public static HBaseLine present() {
    return Present.LINE;
  }

  private static boolean hasClusterConnection() {
    try {
      Class.forName(
          "org.apache.hadoop.hbase.client.ClusterConnection",
          false,
          Connection.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean hasRequestAttributes() {
    try {
      Table.class.getMethod("getRequestAttributes");
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /**
   * HBase's own asynchronous connection, for a cluster that is known already.
   *
   * @param local the address of this machine that connections are made from, where HBase asks for
   *     it: since 3.0; null for any
   */
  public abstract AsyncConnection asyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      @Nullable SocketAddress local,
      User user,
      Map<String, byte[]> attributes);

  /** HBase's blocking interface on an asynchronous one; null in a line that has none. */
  public abstract @Nullable BlockingFacades facades();

  /** HBase's own connection behind one of Evenkey's; another one as it is. */
  public abstract Connection own(Connection connection);

  /** An asynchronous connection for the cluster of a blocking one: 3.0 has it already. */
  public abstract CompletableFuture<AsyncConnection> second(
      Connection first, Configuration configuration, User user, Map<String, byte[]> attributes);

  /** Makes spans that describe a connection; null if it is not of HBase's own kind. */
  abstract @Nullable Supplier<TableOperationSpanBuilder> spans(Connection connection);

  /** The threads in which a table makes batches; null if it has none of its own. */
  public abstract @Nullable ExecutorService threads(Table table);

  /** The interface of the channels to coprocessors, of the protobuf of this line. */
  public abstract Class<?> rpcChannel();

  /** The keys and masks of a filter, as they were given to it. */
  public abstract List<Pair<byte[], byte[]>> fuzzyKeys(FuzzyRowFilter filter);

  /** Gives the builder the request attributes of a table. */
  public abstract void copyAttributes(Table from, TableBuilder to);

  /** Gives the builder the request attributes of a table. */
  public abstract void copyAttributes(Table from, AsyncTableBuilder<?> to);

  /** Gives the builder the request attributes of a mutator. */
  public abstract void copyAttributes(BufferedMutatorParams from, AsyncTableBuilder<?> to);

  /** Gives the parameters the request attributes of others. */
  public abstract void copyAttributes(BufferedMutatorParams from, BufferedMutatorParams to);
}
