/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

/**
 * A finding about the load of a table, in words.
 *
 * @param table the table's name
 * @param kind the stable identifier of the kind of finding
 * @param severity 2 a problem, 1 worth a check, 0 no problem
 * @param text the finding as a sentence
 * @param remedy the remedy: {@code advice}, {@code plan}, {@code regions}, {@code hotkeys}, {@code
 *     step} or empty
 * @param since when one region began to have most of the load, in milliseconds since 1970; 0 if not
 *     known
 * @param cost what the problem costs, as a sentence, or empty
 */
public record Finding(
    String table, String kind, int severity, String text, String remedy, long since, String cost) {}
