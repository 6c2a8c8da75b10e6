/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

/**
 * A column of the rows of a query: a field of the key, or a column of the table.
 *
 * @param name as in {@link Row.Entry}
 * @param type what its values are
 */
public record RowColumn(String name, ValueType type) {}
