/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A change of what the guard of a table allows, for {@link GuardControl#apply}: of the state, and
 * of what else is in the table's descriptor. Stateless.
 */
public final class StateChange {
  private final UnaryOperator<GuardState> state;
  private final Description rest;

  private StateChange(UnaryOperator<GuardState> state, Description rest) {
    this.state = state;
    this.rest = rest;
  }

  /** A change of a descriptor. */
  @FunctionalInterface
  private interface Description {
    TableDescriptor of(TableDescriptor now) throws IOException;
  }

  private static StateChange ofState(UnaryOperator<GuardState> state) {
    return new StateChange(state, now -> now);
  }

  private static StateChange ofRest(Description rest) {
    return new StateChange(UnaryOperator.identity(), rest);
  }

  /** Changes nothing but the turn: requests of earlier ones are refused. */
  public static StateChange turn() {
    return ofState(UnaryOperator.identity());
  }

  /**
   * Changes the mode of a generation.
   *
   * @param other the other generation of the migration
   */
  public static StateChange mode(GuardMode mode, TableName other) {
    return ofState(now -> of(now, mode, now.pass(), other.getNameAsString()));
  }

  /** Opens a generation that has no other one any more. */
  public static StateChange open() {
    return ofState(now -> of(now, GuardMode.OPEN, now.pass(), ""));
  }

  /** Returns this change that begins the next pass too. */
  public StateChange andNextPass() {
    return new StateChange(
        now -> {
          GuardState next = state.apply(now);
          return of(next, next.mode(), next.pass() + 1, next.other());
        },
        rest);
  }

  /**
   * Changes mode and layouts of a table whose salt gets a step.
   *
   * @param own the table's layout from now on
   * @param other the other one of the two layouts; null at the end
   */
  public static StateChange step(GuardMode mode, Layout own, @Nullable Layout other) {
    return new StateChange(
        now -> of(now, mode, now.pass(), ""),
        now -> {
          TableDescriptorBuilder next =
              TableDescriptorBuilder.newBuilder(TableLayout.with(now, own));
          return (other == null
                  ? next.removeValue(GuardState.STEP_KEY)
                  : next.setValue(GuardState.STEP_KEY, other.toString()))
              .build();
        });
  }

  /**
   * Has entries dropped that another cluster wrote by this turn of its migration, or an earlier
   * one, and sends from now on.
   */
  public static StateChange arrived(long turn) {
    return ofRest(
        now ->
            TableDescriptorBuilder.newBuilder(now)
                .setValue(GuardState.ARRIVED_KEY, Long.toString(turn))
                .build());
  }

  /**
   * Has entries dropped, from when the table has the next step on, of rows at or after it by which
   * another cluster wrote before it took the step.
   *
   * @param turn the turn of its migration by which it took the step
   */
  public static StateChange stepped(long turn) {
    return ofRest(
        now ->
            TableDescriptorBuilder.newBuilder(now)
                .setValue(GuardState.STEPPED_KEY, Long.toString(turn))
                .build());
  }

  /** Gives a generation its indexes. */
  public static StateChange indexes(TableIndexes indexes) {
    return ofRest(now -> TableLayout.with(now, indexes));
  }

  /**
   * Gives a table other indexes. Then all regions refuse clients that know of the indexes before,
   * and have ended the writes of these.
   *
   * @param known those that the table has; a {@link GuardException} if it has others
   */
  public static StateChange indexes(TableIndexes known, TableIndexes indexes) {
    return ofRest(
        now -> {
          TableIndexes found = TableLayout.indexes(now);
          if (!found.equals(known)) {
            throw new GuardException(
                now.getTableName(),
                "another command has changed the indexes since this one began",
                "known=" + known.version() + " version=" + found.version(),
                "repeat the command");
          }
          return TableLayout.with(now, indexes);
        });
  }

  /** Makes a clone of a generation, which is closed, the next one of a table by another layout. */
  public static StateChange adoption(TableName table, Layout layout) {
    return ofRest(
        now ->
            TableDescriptorBuilder.newBuilder(TableLayout.with(now, layout))
                .setValue(TableLayout.TABLE, table.getNameAsString())
                .removeValue(GuardState.CLONE_KEY)
                .build());
  }

  private static GuardState of(GuardState now, GuardMode mode, int pass, String other) {
    return new GuardState(now.revision(), mode, pass, now.turn(), other);
  }

  GuardState state(GuardState now) {
    return state.apply(now);
  }

  TableDescriptor rest(TableDescriptor now) throws IOException {
    return rest.of(now);
  }
}
