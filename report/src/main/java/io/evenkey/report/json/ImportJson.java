/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.jobs.load.LoadResult;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The result of an import as JSON. Immutable.
 *
 * @param rejectExamples why some of the rejected records were; empty for an import that writes
 *     files
 * @param collisionsUncertainAfter the number of records at the end whose keys were compared with
 *     earlier ones only
 * @param resumedAt the record at which it was resumed; 0 if it was not
 * @param serverSkew null for an import that writes files, or of fewer than 300 records
 */
@JsonNaming(SnakeCaseStrategy.class)
public record ImportJson(
    String table,
    long records,
    long rows,
    long rejected,
    List<String> rejectExamples,
    long collisions,
    List<String> collisionExamples,
    long collisionsUncertainAfter,
    List<String> warnings,
    long resumedAt,
    double seconds,
    double recordsPerSecond,
    @Nullable Double serverSkew) {
  /** Copies the lists. */
  public ImportJson {
    rejectExamples = List.copyOf(rejectExamples);
    collisionExamples = List.copyOf(collisionExamples);
    warnings = List.copyOf(warnings);
  }

  /**
   * A result.
   *
   * @param bulk whether files were written
   */
  public static ImportJson of(TableName table, LoadResult result, boolean bulk) {
    return new ImportJson(
        table.getNameAsString(),
        result.records(),
        result.rows(),
        result.rejected(),
        result.rejectExamples(),
        result.collisions(),
        result.examples(),
        result.uncertain(),
        result.warnings(),
        result.resumedAt(),
        result.seconds(),
        result.recordsPerSecond(),
        bulk ? null : result.serverSkew());
  }
}
