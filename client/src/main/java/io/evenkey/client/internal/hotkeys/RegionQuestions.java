/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.hotkeys.HotKeyAnswer;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/**
 * Asks each region of a table once for its hot keys, with one request to each server. A region that
 * has split since it was looked up does not answer for both parts, of which the other has hardly
 * counted yet.
 *
 * @param answers of the regions that have the server module, one each
 * @param without the number of regions that do not have it
 * @param failure of a region that could not answer, as one with an earlier version of the module;
 *     null if all did
 */
record RegionQuestions(List<HotKeyAnswer> answers, int without, @Nullable IOException failure) {
  // Who looks at a table of which a region is closed should still see the others.
  private static final int PATIENCE_MS = 10_000;
  private static final byte[] ANSWER = GuardAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  /**
   * Asks.
   *
   * @param plain HBase's own connection
   * @throws AccessDeniedException if the user may not read the whole table
   */
  static RegionQuestions ask(Connection plain, TableName table, HotKeyQuestion question)
      throws IOException {
    byte[] ask = question.toBytes();
    List<Get> gets = new ArrayList<>();
    try (RegionLocator locator = plain.getRegionLocator(table)) {
      for (HRegionLocation region : locator.getAllRegionLocations()) {
        Get get = GuardQuestion.to(region.getRegion(), 0);
        get.setAttribute(GuardAttributes.ASK, ask);
        gets.add(get);
      }
    }
    return sorted(results(plain, table, gets));
  }

  private static Object[] results(Connection plain, TableName table, List<Get> gets)
      throws IOException {
    Object[] results = new Object[gets.size()];
    try (Table asked =
        plain.getTableBuilder(table, null).setOperationTimeout(PATIENCE_MS).build()) {
      asked.batch(gets, results);
    } catch (RetriesExhaustedWithDetailsException | SocketTimeoutException e) {
      // The results have the failures, and null for regions that have not answered yet.
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while asked for hot keys: table=" + table);
    }
    return results;
  }

  private static RegionQuestions sorted(Object[] results) throws IOException {
    Map<String, HotKeyAnswer> answers = new LinkedHashMap<>();
    int without = 0;
    IOException failure = null;
    for (Object result : results) {
      if (!(result instanceof Result found)) {
        failure = failure(result);
        if (failure instanceof AccessDeniedException) {
          throw failure;
        }
        continue;
      }
      Cell cell = found.getColumnLatestCell(ANSWER, ANSWER);
      if (cell == null) {
        without++;
        continue;
      }
      try {
        HotKeyAnswer answer = HotKeyAnswer.parse(CellUtil.cloneValue(cell));
        answers.put(answer.region(), answer);
      } catch (IllegalArgumentException e) {
        failure = new DoNotRetryIOException(e.getMessage(), e);
      }
    }
    return new RegionQuestions(List.copyOf(answers.values()), without, failure);
  }

  private static IOException failure(@Nullable Object result) {
    if (result instanceof IOException failed) {
      return failed;
    }
    return new IOException(
        "region did not answer", result instanceof Throwable failed ? failed : null);
  }
}
