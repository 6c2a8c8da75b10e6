/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/** An exported file, as JSON. */
public record ExportJson(String table, String file, long rows, double seconds) {}
