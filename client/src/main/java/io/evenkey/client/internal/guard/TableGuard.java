/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.guard;

import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FutureUtils;

/** The values of a table's descriptor that a migration sets for the guard. Stateless. */
public final class TableGuard {
  private TableGuard() {}

  /**
   * The state in a descriptor; {@link GuardState#REST} if there is none, or that of another table,
   * of a snapshot of which this one was cloned.
   *
   * @throws IllegalArgumentException if this version does not understand it
   */
  public static GuardState state(TableDescriptor table) {
    String value = GuardState.valueFor(table.getTableName().getNameAsString(), table::getValue);
    return value == null ? GuardState.REST : GuardState.parse(value);
  }

  /** Gives a descriptor a state for the clone of a snapshot that is taken of the table. */
  public static TableDescriptor withClone(
      TableDescriptor table, TableName clone, GuardState state) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(GuardState.TABLE_KEY, table.getTableName().getNameAsString())
        .setValue(GuardState.CLONE_KEY, clone.getNameAsString() + " " + state)
        .build();
  }

  /**
   * Stores a descriptor of which values are changed, without opening the regions again where HBase
   * can: with a coprocessor in the descriptor it cannot, since it compares hash codes of
   * coprocessors that have none.
   */
  public static void store(Admin admin, TableDescriptor changed) throws IOException {
    // As HBase's modifyTable with these parameters, which HBase 3.0 no longer has.
    FutureUtils.get(
        admin.modifyTableAsync(changed, !changed.getCoprocessorDescriptors().isEmpty()),
        admin.getSyncWaitTimeout(),
        TimeUnit.MILLISECONDS);
  }

  /** Gives a descriptor a state. */
  public static TableDescriptor with(TableDescriptor table, GuardState state) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(GuardState.DESCRIPTOR_KEY, state.toString())
        .setValue(GuardState.TABLE_KEY, table.getTableName().getNameAsString())
        .build();
  }
}
