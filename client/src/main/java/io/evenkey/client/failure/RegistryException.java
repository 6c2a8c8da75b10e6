/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * The registry in ZooKeeper cannot be read or written, or holds a record that this version cannot
 * read. Code {@code registry}. Retriable if ZooKeeper did not answer.
 *
 * <p>Reads and writes of tables at rest do not need the registry; plans, migrations and changes of
 * indexes do.
 */
public class RegistryException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  private final boolean retriable;

  /** A failure with its cause; retriable if the cause is that ZooKeeper did not answer. */
  public RegistryException(String message, @Nullable Throwable cause) {
    this(message, cause, isUnanswered(cause));
  }

  private RegistryException(String message, @Nullable Throwable cause, boolean retriable) {
    super(FailureCode.REGISTRY, null, message, cause);
    this.retriable = retriable;
  }

  RegistryException(FailureCode code, @Nullable String table, String message) {
    super(code, table, message, null);
    this.retriable = false;
  }

  /** A record that cannot be read or written; not retriable. */
  public RegistryException(String message) {
    this(message, null);
  }

  /** ZooKeeper does not answer; retriable. */
  public static RegistryException unanswered(String message) {
    return new RegistryException(message, null, true);
  }

  /** The class path lacks a library that the registry needs, such as ZooKeeper's. */
  public static RegistryException withoutLibrary(String message, LinkageError cause) {
    return new RegistryException(message, cause, false);
  }

  private static boolean isUnanswered(@Nullable Throwable cause) {
    return cause instanceof KeeperException keeper
        && switch (keeper.code()) {
          case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONEXPIRED -> true;
          default -> false;
        };
  }

  /** The connection that uses the registry was closed. */
  public static RegistryException closed() {
    return new RegistryException("registry used after the connection was closed");
  }

  @Override
  public boolean isRetriable() {
    return retriable;
  }
}
