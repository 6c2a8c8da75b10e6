/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Another operator stored a plan after this process had read it. Nothing was stored. Not retriable,
 * code {@code plan-conflict}: read the plan again and repeat the change.
 */
public final class PlanConflictException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /**
   * A plan that is stored in another version than was read.
   *
   * @param table the table; null if the plan is of a namespace
   * @param plan the table or namespace, as commands name it
   * @param read the version that this process read
   * @param stored the version that is stored
   * @param author the user who stored it
   */
  public PlanConflictException(
      @Nullable TableName table, String plan, int read, int stored, String author) {
    super(
        FailureCode.PLAN_CONFLICT,
        table == null ? null : table.getNameAsString(),
        FailureMessage.of("plan changed in the meantime")
            .with("plan", plan)
            .with("read", read)
            .with("stored", stored)
            .with("author", author)
            .remedy("look at it as it is now, and store again"));
  }
}
