/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

/**
 * A row that a read returned, and the value that it returned it by: through an index, the indexed
 * one.
 */
public record Found(String row, String value) {}
