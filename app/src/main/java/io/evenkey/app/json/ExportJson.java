/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

/** What was written to a file, as JSON. */
public record ExportJson(String table, String file, long rows, double seconds) {}
