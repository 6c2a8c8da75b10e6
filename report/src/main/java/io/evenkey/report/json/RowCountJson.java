/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/** The number of rows of a table that fulfil the conditions, as JSON. */
public record RowCountJson(String table, long rows) {}
