package io.evenkey.client.route;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * An increment or append that may or may not have been made, since HBase's client sent it more than
 * once and the last attempt met a migration. It is not repeated: it could be made twice.
 */
public final class OutcomeUnknownException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
