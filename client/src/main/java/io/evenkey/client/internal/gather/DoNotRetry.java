/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Tells the failures of a scan that another try cannot change from those that it can. HBase's
 * asynchronous scanner wraps both alike in a RetriesExhaustedException. Stateless.
 */
final class DoNotRetry {
  /** More causes than anything has: what is its own cause would go on for ever. */
  private static final int MOST_CAUSES = 100;

  private DoNotRetry() {}

  /** The failure, or a cause of it, by which no other try can succeed; null if one may. */
  static @Nullable IOException in(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      if (cause instanceof RemoteException remote) {
        IOException unwrapped = remote.unwrapRemoteException();
        if (isPermanent(unwrapped) || isMarked(remote) && !isOfScanner(unwrapped)) {
          return unwrapped;
        }
      }
      if (isOfScanner(cause)) {
        return null;
      }
      if (isPermanent(cause)) {
        return (IOException) cause;
      }
      cause = cause.getCause();
    }
    return null;
  }

  private static boolean isPermanent(Throwable failure) {
    return failure instanceof DoNotRetryIOException && !isOfScanner(failure);
  }

  private static boolean isMarked(RemoteException failure) {
    return failure instanceof RemoteWithExtrasException extras && extras.isDoNotRetry();
  }

  /** Whether only this scanner is lost: HBase's blocking client opens another one. */
  private static boolean isOfScanner(Throwable failure) {
    return failure instanceof UnknownScannerException
        || failure instanceof LeaseException
        || failure instanceof OutOfOrderScannerNextException
        || failure instanceof ScannerResetException;
  }

  /** Removes the exceptions in which Java wraps a failure from another thread. */
  static Throwable unwrapped(Throwable failure) {
    Throwable inner = failure;
    for (int i = 0; i < MOST_CAUSES && isWrapper(inner) && inner.getCause() != null; i++) {
      inner = inner.getCause();
    }
    return inner;
  }

  private static boolean isWrapper(Throwable failure) {
    return failure instanceof ExecutionException
        || failure instanceof CompletionException
        || failure instanceof UncheckedIOException;
  }
}
