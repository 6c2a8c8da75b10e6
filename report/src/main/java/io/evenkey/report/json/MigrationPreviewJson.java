/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.jobs.migration.MigrationPreview;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * What a migration would do, as JSON. Immutable.
 *
 * @param begun always false: it tells this document from that of a migration
 * @param diskMegabytes what the next generation takes in each replica
 * @param freeMegabytes what HBase's file system has left in all; null if it is not known
 * @param obstacles why the migration would be rejected; empty if it would not
 */
@JsonNaming(SnakeCaseStrategy.class)
public record MigrationPreviewJson(
    String table,
    boolean begun,
    String source,
    String before,
    String after,
    String way,
    String by,
    String fence,
    long rows,
    boolean rowsExact,
    double megabytes,
    double diskMegabytes,
    @Nullable Double freeMegabytes,
    int regionsBefore,
    int regionsAfter,
    int servers,
    double seconds,
    double pauseSeconds,
    List<String> settings,
    List<String> warnings,
    List<String> obstacles) {
  /** Copies the lists. */
  public MigrationPreviewJson {
    settings = List.copyOf(settings);
    warnings = List.copyOf(warnings);
    obstacles = List.copyOf(obstacles);
  }

  /** A preview of the migration of a table. */
  public static MigrationPreviewJson of(
      TableName table, MigrationPreview preview, @Nullable Double freeMegabytes) {
    return new MigrationPreviewJson(
        table.getNameAsString(),
        false,
        preview.source().getNameAsString(),
        preview.before().toString(),
        preview.after().toString(),
        MigrationJson.name(preview.way()),
        MigrationJson.name(preview.by()),
        MigrationJson.name(preview.fence()),
        preview.rows().rows(),
        preview.rows().isExact(),
        preview.megabytes(),
        preview.diskMegabytes(),
        freeMegabytes,
        preview.regionsBefore(),
        preview.regionsAfter(),
        preview.servers(),
        preview.time().toMillis() / 1e3,
        preview.pause().toMillis() / 1e3,
        preview.settings(),
        preview.warnings(),
        preview.obstacles());
  }
}
