package io.evenkey.client.move;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A change that may or may not have been made, and cannot be made again without being made twice.
 */
public final class OutcomeUnknownException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(String message) {
    super(message);
  }

  OutcomeUnknownException(String message, IOException cause) {
    super(message, cause);
  }
}
