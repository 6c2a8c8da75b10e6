/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a real HBase: one instance with three region servers for all test classes of a
 * process, started at first need, in a temporary directory that goes with it. A test method or
 * constructor asks for it, or for a shared connection to it, by a parameter:
 *
 * <pre>{@code
 * @ExtendWith(EmbeddedHBaseExtension.class)
 * class OrdersIT {
 *   @Test
 *   void findsTheNewestFirst(Connection connection) { … }
 * }
 * }</pre>
 *
 * <p>The instance is shared: let each test use a table of its own. Needs JUnit 5.13 or later.
 */
public final class EmbeddedHBaseExtension implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(EmbeddedHBaseExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    return type == EmbeddedHBase.class || type == Connection.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    // Of the session: a build tool may run each class of a process as a request of its own.
    EmbeddedHBase hbase =
        test.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
            .getOrComputeIfAbsent(Shared.class, key -> Shared.start(), Shared.class)
            .hbase;
    try {
      return parameter.getParameter().getType() == Connection.class ? hbase.connection() : hbase;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Shared(EmbeddedHBase hbase) implements AutoCloseable {
    static Shared start() {
      try {
        return new Shared(EmbeddedHBase.temporary().start());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      hbase.close();
    }
  }
}
