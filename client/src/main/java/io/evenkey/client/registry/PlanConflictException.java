/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.registry;

import io.evenkey.client.failure.EvenkeyFailure;
import io.evenkey.client.zookeeper.RegistryException;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Another client has changed a plan since it was read. Nothing has been stored. */
public final class PlanConflictException extends RegistryException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final @Nullable String table;

  PlanConflictException(Scope scope, int expected, Versioned<Plan> found) {
    super(
        "plan changed in the meantime: plan="
            + scope
            + " read="
            + expected
            + " stored="
            + found.version()
            + " author="
            + found.author()
            + "; look at it as it is now, and store again");
    this.table = scope instanceof Scope.Table named ? named.name().getNameAsString() : null;
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
