/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes;
import org.apache.hadoop.hbase.trace.TraceUtil;

/**
 * The span of a job, by the OpenTelemetry that HBase's client uses. It ends with the job, and
 * records its failure. Stateless.
 */
public final class JobSpan {
  private static final AttributeKey<String> STAGE = AttributeKey.stringKey("evenkey.stage");

  private JobSpan() {}

  /** The work that a span covers. */
  @FunctionalInterface
  public interface Work<R> {
    /** Does it. */
    R run() throws IOException;
  }

  /**
   * Does a job in a span.
   *
   * @param job in capitals, as HBase names operations
   * @param table as users name it, or its generation where the job knows that alone
   */
  public static <R> R around(String job, TableName table, Work<R> work) throws IOException {
    return TraceUtil.trace(work::run, () -> span(job, table));
  }

  /** Does a stage of a job in a span of its own. */
  public static <R> R aroundStage(String job, TableName table, String stage, Work<R> work)
      throws IOException {
    return TraceUtil.trace(work::run, () -> span(job, table).setAttribute(STAGE, stage));
  }

  private static Span span(String job, TableName table) {
    return TraceUtil.createSpan(job + " " + table.getNameWithNamespaceInclAsString())
        .setAttribute(HBaseSemanticAttributes.DB_NAME, table.getNamespaceAsString())
        .setAttribute(HBaseSemanticAttributes.TABLE_KEY, table.getNameAsString());
  }
}
