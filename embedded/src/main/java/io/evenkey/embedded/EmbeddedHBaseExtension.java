/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit 5 extension that gives tests a real HBase. All test classes of a JVM share one instance
 * with three region servers. It starts when the first test needs it, in a temporary directory that
 * is deleted at the end. A test method or constructor gets the instance, or a connection to it, as
 * a parameter:
 *
 * <pre>{@code
 * @ExtendWith(EmbeddedHBaseExtension.class)
 * class OrdersIT {
 *   @Test
 *   void findsTheNewestFirst(Connection connection) { … }
 * }
 * }</pre>
 *
 * <p>Because the instance is shared, let each test create a table of its own, and do not close the
 * connection. Needs JUnit 5.13 or later.
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
