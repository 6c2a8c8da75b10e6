/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** The registry cannot be read or written, or has something in it that this version cannot read. */
public class RegistryException extends IOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final boolean retriable;

  /** A failure; one that ZooKeeper did not answer can be repeated. */
  public RegistryException(String message, @Nullable Throwable cause) {
    this(message, cause, isUnanswered(cause));
  }

  private RegistryException(String message, @Nullable Throwable cause, boolean retriable) {
    super(message, cause);
    this.retriable = retriable;
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
  public String code() {
    return "registry";
  }

  @Override
  public @Nullable TableName table() {
    return null;
  }

  @Override
  public boolean isRetriable() {
    return retriable;
  }
}
