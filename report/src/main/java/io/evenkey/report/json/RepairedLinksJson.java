/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/**
 * What a repair of misread links did, as JSON.
 *
 * @param table the table in HBase
 * @param renamed the number of files that were renamed; after 0 a major compaction was requested
 */
public record RepairedLinksJson(String table, int renamed) {}
