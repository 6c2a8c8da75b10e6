/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state that a migration has set for one physical table; in the table's descriptor under
 * {@value #DESCRIPTOR_KEY}, as {@code revision=7 mode=tracked pass=3 turn=2 other=orders.g2}. A
 * descriptor without it means {@link #REST}. Immutable.
 *
 * @param revision grows with every change of the descriptor's state; 0 at rest
 * @param mode the operations that clients may do
 * @param pass the number in the {@link ChangeMark}s of rows that are written now
 * @param turn from 1 on, 0 at rest: the number of the migration's run that may read and write in
 *     every mode; requests of earlier runs are refused
 * @param other the table's name of the generation to use instead of this one, or that belongs to
 *     the same migration; empty if there is none
 */
public record GuardState(long revision, GuardMode mode, int pass, long turn, String other) {
  /** The key in the table's descriptor. */
  public static final String DESCRIPTOR_KEY = "EVENKEY_GUARD";

  /**
   * The key in the table's descriptor of the name of the table whose state it is. The master's
   * guard sets it. The clone of a snapshot has the name of the table that the snapshot is of, so
   * that the state of that table does not hold for the clone. A descriptor without it is of the
   * table itself.
   */
  public static final String TABLE_KEY = "EVENKEY_GUARD_TABLE";

  /**
   * The key in the table's descriptor of a state for the clone of a snapshot: the clone's name, a
   * space, and the state. It holds until the clone is given a state of its own, so that a clone can
   * be closed to clients from its first moment on.
   */
  public static final String CLONE_KEY = "EVENKEY_GUARD_CLONE";

  /**
   * The key in the table's descriptor of the line of the other layout while a {@linkplain
   * GuardMode#isOfStep step} is taken: the one with the step, or from some moment on the one
   * without it. Ignored in other modes.
   */
  public static final String STEP_KEY = "EVENKEY_STEP";

  /**
   * The key in the descriptor of a table to which another cluster replicates: entries that were
   * written there by this turn of its migration, or an earlier one, are dropped when they arrive.
   * The rows of both clusters were compared when no more of them was written.
   */
  public static final String ARRIVED_KEY = "EVENKEY_ARRIVED";

  /**
   * The key in the descriptor of a table to which another cluster replicates: the turn by which
   * that cluster took the last step of the salt. It had no row at or after the step then, not even
   * a tombstone. So entries of such rows by the layout before the step that were written by this
   * turn, or an earlier one, are dropped when they arrive after the step was taken here.
   */
  public static final String STEPPED_KEY = "EVENKEY_STEPPED";

  /** No migration. */
  public static final GuardState REST = new GuardState(0, GuardMode.OPEN, 0, 0, "");

  /** Checks the numbers. */
  public GuardState {
    if (revision < 0 || pass < 0 || turn < 0 || other.indexOf(' ') >= 0) {
      throw new IllegalArgumentException(
          "state of the guard out of range: revision="
              + revision
              + " pass="
              + pass
              + " turn="
              + turn
              + " other="
              + other);
    }
  }

  /**
   * The value of the state that holds for a table; null if its descriptor has none, or only that of
   * a table of which it is a clone.
   *
   * @param value reads the value of a key of the table's descriptor; null if it has none
   */
  public static @Nullable String valueFor(String table, UnaryOperator<@Nullable String> value) {
    String of = value.apply(TABLE_KEY);
    if (of == null || of.equals(table)) {
      return value.apply(DESCRIPTOR_KEY);
    }
    String clone = value.apply(CLONE_KEY);
    String begin = table + " ";
    return clone != null && clone.startsWith(begin) ? clone.substring(begin.length()) : null;
  }

  /**
   * The state that a descriptor's value says.
   *
   * @throws IllegalArgumentException if it says none
   */
  public static GuardState parse(String value) {
    Map<String, String> fields = new HashMap<>();
    for (String field : value.trim().split(" +", -1)) {
      int equals = field.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("state of the guard without fields: value=" + value);
      }
      fields.put(field.substring(0, equals), field.substring(equals + 1));
    }
    try {
      return new GuardState(
          Long.parseLong(field(fields, "revision", value)),
          GuardMode.valueOf(field(fields, "mode", value).toUpperCase(Locale.ROOT)),
          Integer.parseInt(field(fields, "pass", value)),
          Long.parseLong(field(fields, "turn", value)),
          field(fields, "other", value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("state of the guard not understood: value=" + value, e);
    }
  }

  /**
   * Returns this state with the next revision, for a change of something else in the descriptor.
   */
  public GuardState next() {
    return new GuardState(revision + 1, mode, pass, turn, other);
  }

  private static String field(Map<String, String> fields, String name, String value) {
    String found = fields.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "state of the guard without a field: field=" + name + " value=" + value);
    }
    return found;
  }

  /** The value for the descriptor. */
  @Override
  public String toString() {
    return "revision="
        + revision
        + " mode="
        + mode.name().toLowerCase(Locale.ROOT)
        + " pass="
        + pass
        + " turn="
        + turn
        + " other="
        + other;
  }
}
