/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/**
 * A guard that was taken from a table, as JSON.
 *
 * @param removed false if the table had none of its own
 */
public record GuardRemovalJson(String table, boolean removed) {}
