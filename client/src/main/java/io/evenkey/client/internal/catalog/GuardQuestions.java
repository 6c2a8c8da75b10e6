/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Refusal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Asks the guard of a table's first region for the layout and the state of a migration: by one Get,
 * for which READ is enough; if that is denied, by one Put that writes nothing, for which WRITE is
 * enough. Thread-safe.
 */
final class GuardQuestions {
  private static final byte[] ROW = {0};
  private static final byte[] ANSWER = Bytes.toBytes(GuardAttributes.ANSWER);

  private final PlainRequests requests;

  GuardQuestions(PlainRequests requests) {
    this.requests = requests;
  }

  /**
   * The guard's answer; empty if the region has no guard.
   *
   * @param revision the region reads the table's descriptor again if it acts by an earlier revision
   */
  CompletableFuture<Optional<GuardAnswer>> ask(TableName table, long revision) {
    return Futures.next(
        requests.get(table, GuardQuestion.toFirstRegion(revision)),
        (result, error) -> {
          if (error instanceof AccessDeniedException) {
            return askByPut(table, revision);
          }
          return error == null
              ? CompletableFuture.completedFuture(GuardQuestion.answer(table, result))
              : CompletableFuture.failedFuture(error);
        });
  }

  // Refused with the answer; a server without the guard knows no such family.
  private CompletableFuture<Optional<GuardAnswer>> askByPut(TableName table, long revision) {
    Put put = new Put(ROW).addColumn(ANSWER, ANSWER, ROW);
    put.setAttribute(GuardAttributes.ASK, GuardAttributes.number(revision));
    return Futures.next(
        requests.put(table, put),
        (nothing, error) -> {
          Optional<GuardAnswer> answered = answerIn(error);
          return answered.isPresent() || error == null || GuardQuestion.isNoFamily(error)
              ? CompletableFuture.completedFuture(answered)
              : CompletableFuture.failedFuture(error);
        });
  }

  private static Optional<GuardAnswer> answerIn(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<GuardAnswer> answer = Refusal.answerIn(cause.getMessage());
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }
}
