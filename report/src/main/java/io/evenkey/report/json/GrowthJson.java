/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import org.jspecify.annotations.Nullable;

/**
 * A step of a salt that {@code grow} proposes or has taken, as JSON. Immutable.
 *
 * @param step the new step in words
 * @param migration left out if the step was not taken
 */
@JsonNaming(SnakeCaseStrategy.class)
public record GrowthJson(
    String table,
    String before,
    String after,
    String step,
    int regionsBefore,
    int regionsAfter,
    boolean taken,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable MigrationJson migration) {}
