/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Another client has changed a plan since it was read. Nothing has been stored. */
public final class PlanConflictException extends RegistryException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final @Nullable String table;

  /**
   * A plan that is stored with another version than was read.
   *
   * @param table the table, or null if the plan is of a namespace
   * @param plan the table or namespace, as commands name it
   * @param read the version that the client read
   * @param stored the version that is stored
   * @param author the user who stored it
   */
  public PlanConflictException(
      @Nullable TableName table, String plan, int read, int stored, String author) {
    super(
        "plan changed in the meantime: plan="
            + plan
            + " read="
            + read
            + " stored="
            + stored
            + " author="
            + author
            + "; look at it as it is now, and store again");
    this.table = table == null ? null : table.getNameAsString();
  }

  @Override
  public String code() {
    return "plan-conflict";
  }

  @Override
  public @Nullable TableName table() {
    return table == null ? null : TableName.valueOf(table);
  }

  @Override
  public boolean isRetriable() {
    return false;
  }
}
