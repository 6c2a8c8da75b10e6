/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** The registry cannot be read or written, or has something in it that this version cannot read. */
public class RegistryException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  private final boolean retriable;

  /** A failure; one that ZooKeeper did not answer can be repeated. */
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

  public RegistryException(String message) {
    this(message, null);
  }

  /** ZooKeeper does not answer. */
  public static RegistryException unanswered(String message) {
    return new RegistryException(message, null, true);
  }

  /** The registry cannot be read without a library, which may be ZooKeeper's. */
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
    return new RegistryException("registry asked for after the connection was closed");
  }

  @Override
  public boolean isRetriable() {
    return retriable;
  }
}
