/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.time.Instant;
import org.apache.hadoop.hbase.TableName;

/**
 * The registry's record of the layout that a table's rows are written under, and of its indexes.
 *
 * @param table the table
 * @param layout the layout line, as in the table's descriptor
 * @param indexes the text of the table's indexes; empty if it has none
 * @param keyChanged whether a migration has given the table another row key
 * @param since when it was recorded
 */
public record LayoutRecord(
    TableName table, String layout, String indexes, boolean keyChanged, Instant since) {}
