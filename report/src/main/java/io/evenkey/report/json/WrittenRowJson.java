/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/** A row that was written, as JSON. */
@JsonNaming(SnakeCaseStrategy.class)
public record WrittenRowJson(String table, String logicalHex) {}
