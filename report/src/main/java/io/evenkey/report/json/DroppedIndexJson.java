/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/** An index that was dropped, as JSON. */
public record DroppedIndexJson(String table, String index, boolean dropped) {}
