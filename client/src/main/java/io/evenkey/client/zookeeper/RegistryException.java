package io.evenkey.client.zookeeper;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The registry cannot be read or written, or has something in it that this version cannot read. */
public class RegistryException extends IOException {
  private static final long serialVersionUID = 1L;

  public RegistryException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public RegistryException(String message) {
    super(message);
  }

  /** The connection that uses the registry was closed. */
  public static RegistryException closed() {
    return new RegistryException("registry asked for after the connection was closed");
  }
}
