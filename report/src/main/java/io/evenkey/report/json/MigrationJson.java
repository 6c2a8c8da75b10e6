/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.layout.Layout;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A migration as JSON. Immutable.
 *
 * @param generation the table that applications use now
 * @param by the way of the copy
 * @param copied the number of parts that are copied, of {@code parts}
 * @param heldToRowsPerSecond what reads have left to the copy; 0 without a limit of their latency
 * @param step left out if the salt gets no step
 * @param keyChange left out if the row key stays as it is
 */
@JsonNaming(SnakeCaseStrategy.class)
public record MigrationJson(
    String table,
    String stage,
    String meaning,
    String goal,
    boolean over,
    String generation,
    String source,
    String target,
    boolean renaming,
    String fence,
    int turn,
    String by,
    int copied,
    int parts,
    long copiedRows,
    int comparedThrough,
    long repaired,
    long rowsPerSecond,
    long latencyMs,
    long heldToRowsPerSecond,
    String since,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable MigrationStep step,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KeyChange keyChange) {
  /** All migrations. */
  public record Migrations(List<MigrationJson> migrations) {
    /** Copies the list. */
    public Migrations {
      migrations = List.copyOf(migrations);
    }
  }

  /** The layouts before and after a step of the salt. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record MigrationStep(String before, String after, long rowsRewritten) {}

  /**
   * The row key before and after.
   *
   * @param indexCommand adds an index with the key before; empty if none can have it
   * @param indexLayout the layout of that index; empty if none can have it
   * @param indexProblem why no index can; empty if one can
   * @param keysTable the table that has the keys of rows; left out where there is none
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record KeyChange(
      String before,
      String after,
      String columns,
      String layoutBefore,
      String indexCommand,
      String indexLayout,
      String indexProblem,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String keysTable) {
    private static KeyChange of(Kind.AnotherKey change, Migration migration) {
      KeyBeforeIndex index = KeyBeforeIndex.of(migration.table(), change);
      boolean hasKeys = change.takesKeyFromColumns() && !migration.stage().isOver();
      return new KeyChange(
          DeclaredKeys.keyOf(Layout.parse(change.before())),
          DeclaredKeys.keyOf(Layout.parse(change.after())),
          change.columns(),
          change.before(),
          index.command(),
          index.layout(),
          index.problem(),
          hasKeys ? NextKeys.table(migration.target()).getNameAsString() : null);
    }
  }

  /** A migration. */
  public static MigrationJson of(Migration migration) {
    Migration.Work work = migration.work();
    Migration.Pace pace = migration.pace();
    return new MigrationJson(
        migration.table().getNameAsString(),
        name(migration.stage()),
        Transitions.meaning(migration),
        name(migration.goal()),
        migration.stage().isOver(),
        migration.generation().getNameAsString(),
        migration.source().getNameAsString(),
        migration.target().getNameAsString(),
        migration.kind() instanceof Kind.Renaming,
        name(migration.fence()),
        migration.turn(),
        name(work.by()),
        work.copied(),
        work.rounds().size(),
        work.rows(),
        // Inside, a target that was just opened has -1.
        Math.max(0, work.comparedThrough()),
        work.repaired(),
        pace.rowsPerSecond(),
        pace.latencyMs(),
        pace.latencyMs() > 0 ? pace.heldTo() : 0,
        migration.since().toString(),
        migration.kind() instanceof Kind.Step step
            ? new MigrationStep(step.before(), step.after(), work.rows())
            : null,
        migration.kind() instanceof Kind.AnotherKey change
            ? KeyChange.of(change, migration)
            : null);
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** The mechanism that keeps clients from the old generation, as text. */
  public static String meaning(Migration.Fence fence) {
    return switch (fence) {
      case GUARD -> "the guard of the region servers refuses requests to the old generation";
      case NAMES -> "no guard: the old generation loses its name; reads and writes pause";
    };
  }
}
