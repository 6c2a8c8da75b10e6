/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.TableIndexes;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Decides about requests to one table by what its descriptor says. Immutable, but for the last
 * comparison with another layout; the decisions allocate nothing.
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
  // Less than any turn if nothing is dropped.
  private final long arrived;
  private final long stepped;
  private final boolean indexed;
  private final boolean needsEntries;
  // Null if the table has none.
  private final @Nullable MutableIndexes mutableIndexes;
  private final boolean rawReads;
  private final RawWrites rawWrites;
  // Null if rows cannot be checked: the table has no layout, or one that is not understood.
  private final @Nullable Layout layout;
  private final IndexedColumns indexedColumns;
  // A source has one layout at a time. Null before the first.
  private volatile @Nullable Comparison compared;

  /**
   * Whether another layout stores rows in another way.
   *
   * @param steps in which alone the layouts differ; null if they differ otherwise, or do not
   * @param isBehind whether the other layout lacks these steps
   */
  record Comparison(
      SourceLayout source, boolean differs, @Nullable AppendedSteps steps, boolean isBehind) {
    private static Comparison of(SourceLayout source, @Nullable String own) {
      boolean differs = source.differsFrom(own);
      AppendedSteps steps = differs ? source.steps(own) : null;
      boolean isBehind = steps != null && !source.hasSteps(steps);
      return new Comparison(source, differs, steps, isBehind);
    }

    private boolean isAfterSteps(byte[] row) {
      return steps != null && steps.covers(row);
    }
  }

  private TableRules(
      TableText text,
      @Nullable Layout layout,
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
    this.layout = plain || stamp == null ? null : layout;
    this.stamp = plain ? null : stamp;
    this.state = state;
    this.held = held;
    this.turn = GuardAttributes.number(state == null ? 0 : state.turn());
    this.arrived = turn(text.arrived());
    this.stepped = turn(text.stepped());
    this.indexed = text.hasIndexes();
    this.needsEntries = text.needsEntries();
    this.mutableIndexes = mutableIndexes(text);
    this.indexedColumns = IndexedColumns.of(text);
    this.rawReads = readPolicy(text.rawReads());
    this.rawWrites = writePolicy(RawWrites.of(text.rawWrites()));
  }

  /** The rules from now on. */
  static TableRules of(TableText text) {
    return of(text, System::nanoTime);
  }

  /** The rules of a table by another clock, which counts nanoseconds. */
  static TableRules of(TableText text, LongSupplier nanos) {
    GuardState state = state(text.state());
    boolean step = state != null && state.mode().isOfStep();
    Layout layout = layout(text);
    byte[] stamp = layout == null ? null : stamp(layout, text);
    return new TableRules(text, layout, stamp, state, step ? HeldStep.of(text) : null, nanos);
  }

  /** For a region whose table's descriptor could not be read yet. */
  static TableRules unknown(TableText text) {
    return new TableRules(text, null, null, null, null, System::nanoTime);
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

  private static @Nullable Layout layout(TableText text) {
    try {
      return text.layout() == null ? null : Layout.parse(text.layout());
    } catch (RuntimeException e) {
      // Written by a later version.
      return null;
    }
  }

  private static byte @Nullable [] stamp(Layout parsed, TableText text) {
    try {
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

  // One that is not understood drops nothing.
  private static long turn(@Nullable String value) {
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static boolean readPolicy(@Nullable String value) {
    // A misspelt policy refuses.
    return value == null || value.trim().toLowerCase(Locale.ROOT).equals("allow");
  }

  // A client that names no layout writes no entries either; and rows of a layout that is not
  // understood cannot be checked.
  private RawWrites writePolicy(RawWrites wanted) {
    RawWrites policy = wanted == RawWrites.ALLOW && indexed ? RawWrites.CHECKED : wanted;
    return policy == RawWrites.CHECKED && layout == null ? RawWrites.REFUSE : policy;
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

  /** The turn that entries of a replicated table carry; null if it was never migrated. */
  byte @Nullable [] replicatedTurn() {
    return state != null && state.turn() > 0 ? turn : null;
  }

  /**
   * Whether a mutation that another cluster replicates is of before the time when the rows of both
   * clusters were compared.
   *
   * @param sourceTurn the turn by which it was written there
   */
  boolean hasArrived(long sourceTurn) {
    return sourceTurn <= arrived;
  }

  /**
   * Whether a replicated mutation whose entry tells no turn is of before that time. HBase may send
   * a log again from its beginning, with what was written before the first migration of its table.
   * A source that was created again tells none either: so a table in use takes rows of its own
   * layout.
   */
  boolean hasArrived(SourceLayout source) {
    return arrived >= 0
        && source.line() != null
        && state != null
        && (state.mode() == GuardMode.CLOSED || comparison(source).differs);
  }

  /**
   * Whether a replicated mutation is of a row at or after a step, and of before the source took it.
   * The source had no such row then, so all such mutations together change nothing. While the step
   * is taken here, the table may still go back to the layout before, so they are not dropped.
   *
   * @param sourceTurn the turn by which it was written there; 0 if its entry tells none
   */
  boolean precedesStep(SourceLayout source, long sourceTurn, byte[] row) {
    if (sourceTurn > stepped || state == null) {
      return false;
    }
    Comparison layouts = comparison(source);
    return layouts.isBehind && layouts.isAfterSteps(row) && (held == null || !held.covers(row));
  }

  /** Whether a replicated mutation is of a row at or after a step that is not taken here yet. */
  boolean awaitsStep(SourceLayout source, byte[] row) {
    Comparison layouts = comparison(source);
    return !layouts.isBehind && layouts.isAfterSteps(row) && checks(null, null, false);
  }

  /**
   * The layout that entries of a replicated table tell. While a step is taken it is the one before,
   * by which all rows are stored that are written then: so no entry tells the layout of a step that
   * is rolled back.
   */
  @Nullable String replicatedLayout() {
    return held == null ? text.layout() : held.before();
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

  /** A mutation of a row; one that is allowed may have to be {@linkplain #checks checked}. */
  Outcome write(byte @Nullable [] layout, byte @Nullable [] migration, boolean raw, byte[] row) {
    GuardState now = state;
    Outcome outcome = inAnyMode(layout, migration, raw && !indexed, rawWrites != RawWrites.REFUSE);
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

  /**
   * Whether a write that is allowed names no layout, and so is right only if its row is {@linkplain
   * #rows of the layout} and it changes no column of an index.
   */
  boolean checks(byte @Nullable [] layout, byte @Nullable [] migration, boolean raw) {
    return layout == null
        && migration == null
        && rawWrites == RawWrites.CHECKED
        && !(raw && !indexed)
        && !plain;
  }

  /** For the rows of writes that have to be {@linkplain #checks checked}. */
  StoredRows rows() {
    if (layout == null) {
      throw new IllegalStateException("rows cannot be checked: table=" + text.table());
    }
    return new StoredRows(layout);
  }

  /** Whether the columns of the table's indexes are written only together with entries. */
  boolean needsEntries() {
    return needsEntries;
  }

  /** The columns of the table's indexes. */
  IndexedColumns indexedColumns() {
    return indexedColumns;
  }

  /**
   * Whether the layout of a source of replication stores a row in another way than this table's.
   * Rows before a step that only one of them has are stored alike.
   */
  boolean isOther(SourceLayout source, byte[] row) {
    Comparison layouts = comparison(source);
    return layouts.differs && (layouts.steps == null || layouts.isAfterSteps(row));
  }

  /**
   * Whether files of a source may have rows that are stored in another way here. Those of before a
   * step that the source has taken since then are checked by their rows.
   */
  boolean isOtherOfFiles(SourceLayout source) {
    Comparison layouts = comparison(source);
    return layouts.differs && !(layouts.isBehind && stepped >= 0);
  }

  /** Parses the lines only if the layout is not the one of the last comparison. */
  Comparison comparison(SourceLayout source) {
    Comparison last = compared;
    if (last == null || !last.source.equals(source)) {
      last = Comparison.of(source, text.layout());
      compared = last;
    }
    return last;
  }

  /** A file of a bulk load, by the stamp and the turn in its file info. */
  Outcome load(byte @Nullable [] layout, byte @Nullable [] migration) {
    GuardState now = state;
    if (now == null) {
      return Outcome.UNREADABLE;
    }
    return switch (now.mode()) {
      case OPEN -> plain ? Outcome.ALLOWED : named(layout, takesFiles());
      case TRACKED, FENCED, READ_ONLY, HELD, SHARED -> Outcome.MIGRATING;
      case CLOSED -> {
        if (migration == null) {
          yield Outcome.CLOSED;
        }
        yield isOfTurn(migration) ? Outcome.ALLOWED : Outcome.TURN;
      }
    };
  }

  /** Whether files that name no layout are right only if their rows are of the layout. */
  boolean checksFiles() {
    return state != null
        && state.mode() == GuardMode.OPEN
        && checks(null, null, false)
        && takesFiles();
  }

  // Whether one that names no layout is taken, if its rows are of the layout.
  private boolean takesFiles() {
    return rawWrites == RawWrites.ALLOW
        || rawWrites == RawWrites.CHECKED && !needsEntries && text.indexedTable() == null;
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
