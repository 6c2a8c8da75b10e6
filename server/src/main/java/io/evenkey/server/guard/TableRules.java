/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.GuardMode;
import io.evenkey.layout.guard.GuardState;
import io.evenkey.layout.guard.Stamp;
import io.evenkey.layout.index.TableIndexes;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Decides about requests to one table by what its descriptor says. Immutable; the decisions
 * allocate nothing.
 *
 * <p>Of a request they need three attributes: the {@linkplain #layoutOf layout} that it names, the
 * turn of its migration (both null if it has none), and whether it means rows as they are stored.
 */
final class TableRules {
  private static final byte[] NONE = {};

  private final LongSupplier nanos;
  private final long since;
  private final TableText text;
  // Whether the table has no layout, or one that leaves rows as they are.
  private final boolean plain;
  // Null if the table has no layout, or one that this version does not understand.
  private final byte @Nullable [] stamp;
  // Null if it is not known.
  private final @Nullable GuardState state;
  // Null if no step is taken.
  private final @Nullable HeldStep held;
  private final byte[] turn;
  private final boolean indexed;
  // Null if the table has none.
  private final @Nullable MutableIndexes mutableIndexes;
  private final boolean rawReads;
  private final boolean rawWrites;

  private TableRules(
      TableText text,
      byte @Nullable [] stamp,
      @Nullable GuardState known,
      @Nullable HeldStep held,
      LongSupplier nanos) {
    boolean lost = known != null && known.mode().isOfStep() && held == null;
    GuardState state = lost ? null : known;
    this.nanos = nanos;
    this.since = nanos.getAsLong();
    this.text = text;
    this.plain = text.layout() == null || stamp != null && stamp.length == 0;
    this.stamp = plain ? null : stamp;
    this.state = state;
    this.held = held;
    this.turn = GuardAttributes.number(state == null ? 0 : state.turn());
    this.indexed = text.hasIndexes();
    this.mutableIndexes = mutableIndexes(text);
    this.rawReads = policy(text.rawReads(), true);
    // A client that names no layout knows of no indexes either.
    this.rawWrites = !indexed && policy(text.rawWrites(), false);
  }

  /** The rules from now on. */
  static TableRules of(TableText text) {
    return of(text, System::nanoTime);
  }

  /** The same by another clock, which counts nanoseconds. */
  static TableRules of(TableText text, LongSupplier nanos) {
    GuardState state = state(text.state());
    boolean step = state != null && state.mode().isOfStep();
    return new TableRules(text, stamp(text), state, step ? HeldStep.of(text) : null, nanos);
  }

  /** For a region whose table's descriptor could not be read yet. */
  static TableRules unknown(TableText text) {
    return new TableRules(text, null, null, null, System::nanoTime);
  }

  /**
   * The layout that a request names: a stamp; no bytes if its client takes the table for one
   * without a layout; null if it names nothing, as HBase's own client does.
   */
  static byte @Nullable [] layoutOf(OperationWithAttributes request) {
    byte[] stamp = request.getAttribute(GuardAttributes.LAYOUT);
    boolean isPlain =
        stamp == null
            && request.getAttribute(GuardAttributes.PLAIN) != null
            && request.getAttribute(GuardAttributes.RAW) == null;
    return isPlain ? NONE : stamp;
  }

  private static byte @Nullable [] stamp(TableText text) {
    if (text.layout() == null) {
      return null;
    }
    try {
      Layout parsed = Layout.parse(text.layout());
      TableIndexes indexes = TableIndexes.parse(text.indexes());
      return parsed.isPlain() && indexes.isEmpty() ? NONE : Stamp.of(parsed, indexes);
    } catch (RuntimeException e) {
      // Written by a later version: no stamp equals it.
      return null;
    }
  }

  private static @Nullable MutableIndexes mutableIndexes(TableText text) {
    try {
      return MutableIndexes.of(TableIndexes.parse(text.indexes()));
    } catch (RuntimeException e) {
      // Of a later version: no request has the stamp.
      return null;
    }
  }

  private static @Nullable GuardState state(@Nullable String value) {
    try {
      return value == null ? GuardState.REST : GuardState.parse(value);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static boolean policy(@Nullable String value, boolean otherwise) {
    if (value == null) {
      return otherwise;
    }
    // A misspelt policy refuses.
    return value.trim().toLowerCase(Locale.ROOT).equals("allow");
  }

  TableText text() {
    return text;
  }

  /** Null if it is not known or not understood. */
  @Nullable GuardState state() {
    return state;
  }

  /** -1 if the state is not known. */
  long revision() {
    return state == null ? -1 : state.revision();
  }

  /** Whether the table has indexes. */
  boolean indexed() {
    return indexed;
  }

  /** The indexes of mutable rows; null if the table has none. */
  @Nullable MutableIndexes mutableIndexes() {
    return mutableIndexes;
  }

  /** Whether the table has a layout, or indexes, that this version does not understand. */
  boolean layoutUnknown() {
    return !plain && stamp == null;
  }

  /** Whether rows are marked by these rules, now or when a fence has ended. */
  boolean marks() {
    return state != null && (state.mode() == GuardMode.TRACKED || state.mode() == GuardMode.FENCED);
  }

  /** Whether compactions have to keep tombstones. */
  boolean keepsTombstones() {
    return state == null || state.mode().keepsTombstones();
  }

  /** A Get, a Scan, or the condition of a CheckAndMutate. */
  Outcome read(byte @Nullable [] layout, byte @Nullable [] migration, boolean raw) {
    return inAnyMode(layout, migration, raw, rawReads);
  }

  private Outcome inAnyMode(
      byte @Nullable [] layout, byte @Nullable [] migration, boolean raw, boolean rawAllowed) {
    GuardState now = state;
    if (now == null) {
      return raw ? Outcome.ALLOWED : Outcome.UNREADABLE;
    }
    if (migration != null) {
      return isOfTurn(migration) ? Outcome.ALLOWED : Outcome.TURN;
    }
    if (!now.mode().reads()) {
      return Outcome.CLOSED;
    }
    return named(layout, raw || rawAllowed);
  }

  /** A mutation of a row. */
  Outcome write(byte @Nullable [] layout, byte @Nullable [] migration, boolean raw, byte[] row) {
    GuardState now = state;
    Outcome outcome = inAnyMode(layout, migration, raw && !indexed, rawWrites);
    if (outcome != Outcome.ALLOWED || now == null || migration != null) {
      return outcome;
    }
    return switch (now.mode()) {
      case OPEN -> Outcome.ALLOWED;
      case TRACKED -> Outcome.MARKED;
      // What is written then has a mark: the migration compares it when the table is closed.
      case FENCED -> fenceIsOver() ? Outcome.MARKED : Outcome.FENCED;
      case READ_ONLY -> Outcome.FENCED;
      case CLOSED -> Outcome.CLOSED;
      case HELD, SHARED -> held != null && held.covers(row) ? Outcome.FENCED : Outcome.ALLOWED;
    };
  }

  /** A file of a bulk load, by the stamp and the turn in its file info. */
  Outcome load(byte @Nullable [] layout, byte @Nullable [] migration) {
    GuardState now = state;
    if (now == null) {
      return Outcome.UNREADABLE;
    }
    return switch (now.mode()) {
      case OPEN -> plain ? Outcome.ALLOWED : named(layout, rawWrites);
      case TRACKED, FENCED, READ_ONLY, HELD, SHARED -> Outcome.MIGRATING;
      case CLOSED -> {
        if (migration == null) {
          yield Outcome.CLOSED;
        }
        yield isOfTurn(migration) ? Outcome.ALLOWED : Outcome.TURN;
      }
    };
  }

  private boolean fenceIsOver() {
    return nanos.getAsLong() - since > GuardMode.FENCE.toNanos();
  }

  // Turns begin at 1: at rest, no migration has one.
  private boolean isOfTurn(byte[] migration) {
    return state != null && state.turn() > 0 && Arrays.equals(migration, turn);
  }

  /** A request of which no attributes are known, such as the call of an endpoint. */
  Outcome call() {
    GuardState now = state;
    if (now == null) {
      return Outcome.UNREADABLE;
    }
    return now.mode().reads() ? Outcome.ALLOWED : Outcome.CLOSED;
  }

  private Outcome named(byte @Nullable [] layout, boolean mayBeUnnamed) {
    if (layout != null) {
      boolean isSame = plain ? layout.length == 0 : Arrays.equals(layout, stamp);
      return isSame || isShared(layout) ? Outcome.ALLOWED : Outcome.LAYOUT;
    }
    return plain || mayBeUnnamed ? Outcome.ALLOWED : Outcome.UNSTAMPED;
  }

  private boolean isShared(byte[] layout) {
    return held != null
        && state != null
        && state.mode() == GuardMode.SHARED
        && Arrays.equals(layout, held.otherStamp());
  }
}
