/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import org.apache.hadoop.hbase.trace.TraceUtil;
import org.jspecify.annotations.Nullable;

/**
 * The span of an operation that goes on in several threads: the spans of all that they begin for it
 * are its children. While nothing is traced, it is {@link #NONE}, which costs a comparison.
 * Thread-safe.
 */
public final class OperationSpan {
  /** No span: what is run for it is run as it is. */
  public static final OperationSpan NONE = new OperationSpan(Span.getInvalid(), null);

  private final Span span;
  private final @Nullable Context context;
  private volatile boolean failed;

  private OperationSpan(Span span, @Nullable Context context) {
    this.span = span;
    this.context = context;
  }

  /** A span that was started in this thread, until {@link #end()}. */
  public static OperationSpan of(Span started) {
    return started.getSpanContext().isValid()
        ? new OperationSpan(started, Context.current().with(started))
        : NONE;
  }

  /** Does a part of the operation in this thread. */
  public void run(Runnable part) {
    (context == null ? part : context.wrap(part)).run();
  }

  /** Says that the operation failed; it has still to be ended. */
  public void fail(Throwable failure) {
    if (context != null && span.isRecording()) {
      TraceUtil.setError(span, failure);
      failed = true;
    }
  }

  /** The operation is over. Only the first call counts. */
  public void end() {
    if (context != null) {
      if (!failed) {
        span.setStatus(StatusCode.OK);
      }
      span.end();
    }
  }
}
