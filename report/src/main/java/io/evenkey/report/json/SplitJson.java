/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/** The number of regions that a table was given, as JSON. */
public record SplitJson(String table, int splits) {}
