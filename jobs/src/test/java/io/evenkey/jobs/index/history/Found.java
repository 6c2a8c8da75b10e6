/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index.history;

/** A row that a read through the index returned, and the indexed value that it returned it by. */
public record Found(String row, String value) {}
