/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.layout.Layout;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;

/** Migrations as JSON, the same on the command line and in the portal. Stateless. */
public final class MigrationJson {
  private MigrationJson() {}

  /** A migration. */
  public static Map<String, Object> of(Migration migration) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", migration.table().getNameAsString());
    document.put("stage", migration.stage().name().toLowerCase(Locale.ROOT));
    document.put("meaning", meaning(migration));
    document.put("goal", migration.goal().name().toLowerCase(Locale.ROOT));
    document.put("over", migration.stage().isOver());
    document.put("generation", migration.generation().getNameAsString());
    document.put("source", migration.source().getNameAsString());
    document.put("target", migration.target().getNameAsString());
    document.put("renaming", migration.kind() instanceof Kind.Renaming);
    document.put("fence", migration.fence().name().toLowerCase(Locale.ROOT));
    document.put("turn", migration.turn());
    document.put("by", migration.work().by().name().toLowerCase(Locale.ROOT));
    document.put("copied", migration.work().copied());
    document.put("parts", migration.work().rounds().size());
    document.put("copied_rows", migration.work().rows());
    document.put("compared_through", migration.work().comparedThrough());
    document.put("repaired", migration.work().repaired());
    document.put("rows_per_second", migration.pace().rowsPerSecond());
    document.put("latency_ms", migration.pace().latencyMs());
    document.put(
        "held_to_rows_per_second",
        migration.pace().latencyMs() > 0 ? migration.pace().heldTo() : 0);
    document.put("since", migration.since().toString());
    if (migration.kind() instanceof Kind.Step step) {
      document.put(
          "step",
          Map.of(
              "before",
              step.before(),
              "after",
              step.after(),
              "rows_rewritten",
              migration.work().rows()));
    }
    if (migration.kind() instanceof Kind.AnotherKey change) {
      document.put("key_change", of(change, migration));
    }
    return document;
  }

  /** What a migration would do that has not begun. */
  public static Map<String, Object> of(TableName table, MigrationPreview preview) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.getNameAsString());
    document.put("begun", false);
    document.put("source", preview.source().getNameAsString());
    document.put("before", preview.before().toString());
    document.put("after", preview.after().toString());
    document.put("way", preview.way().name().toLowerCase(Locale.ROOT));
    document.put("by", preview.by().name().toLowerCase(Locale.ROOT));
    document.put("fence", preview.fence().name().toLowerCase(Locale.ROOT));
    document.put("rows", preview.rows().rows());
    document.put("rows_exact", preview.rows().isExact());
    document.put("megabytes", preview.megabytes());
    document.put("disk_megabytes", preview.diskMegabytes());
    document.put("regions_before", preview.regionsBefore());
    document.put("regions_after", preview.regionsAfter());
    document.put("servers", preview.servers());
    document.put("seconds", preview.time().toMillis() / 1e3);
    document.put("pause_seconds", preview.pause().toMillis() / 1e3);
    document.put("settings", preview.settings());
    document.put("warnings", preview.warnings());
    document.put("obstacles", preview.obstacles());
    return document;
  }

  private static Map<String, Object> of(Kind.AnotherKey change, Migration migration) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("before", DeclaredKeys.keyOf(Layout.parse(change.before())));
    document.put("after", DeclaredKeys.keyOf(Layout.parse(change.after())));
    document.put("columns", change.columns());
    document.put("layout_before", change.before());
    KeyBeforeIndex index = KeyBeforeIndex.of(migration.table(), change);
    document.put("index_command", index.command());
    document.put("index_problem", index.problem());
    if (change.takesKeyFromColumns() && !migration.stage().isOver()) {
      document.put("keys_table", NextKeys.table(migration.target()).getNameAsString());
    }
    return document;
  }

  /** The mechanism that keeps clients from the old generation, as text. */
  public static String meaning(Migration.Fence fence) {
    return switch (fence) {
      case GUARD -> "the guard of the region servers refuses requests to the old generation";
      case NAMES -> "no guard: the old generation loses its name; reads and writes pause";
    };
  }

  /** A description of the stage of a migration. */
  public static String meaning(Migration migration) {
    if (migration.kind() instanceof Kind.StepInPlace) {
      return ofStep(migration.stage());
    }
    return migration.kind() instanceof Kind.StepWithRewriting && migration.stage() == Stage.COPYING
        ? "the table is cloned, and rows at or after the step are moved in the clone"
        : meaning(migration.stage());
  }

  private static String ofStep(Stage stage) {
    return switch (stage) {
      case PREPARING -> "the new buckets get regions";
      case VERIFYING -> "rows at or after the step are held, and looked for";
      case CLOSING -> "clients go over to the layout with the step; rows after it are held";
      case SWITCHING -> "rows at or after the step are written by the layout with it";
      case FINISHED -> "the table has the step; no row was rewritten";
      case ABANDONING -> "rolling back: rows are no longer held";
      case ROLLED_BACK -> "the table has the layout before the step";
      default -> meaning(stage);
    };
  }

  private static String meaning(Stage stage) {
    return switch (stage) {
      case PREPARING -> "the next generation is created";
      case COPYING -> "the rows are copied; rows written during the copy are marked";
      case VERIFYING -> "both generations are compared, and different rows repaired";
      case READY -> "both are equal except for the last writes; the old one is in use";
      case FENCING -> "writes pause while the last writes are compared";
      case CLOSING -> "the old generation is closed to clients";
      case SWITCHING -> "the next generation is opened to clients";
      case SWITCHED -> "the next generation is in use; a rollback is possible";
      case FINISHED -> "the next generation has replaced the old one";
      case RETURNING -> "rolling back: writes pause while the last writes are compared";
      case ABANDONING -> "rolling back: the next generation is closed, and the old one opened";
      case ROLLED_BACK -> "only the old generation is in use";
    };
  }
}
