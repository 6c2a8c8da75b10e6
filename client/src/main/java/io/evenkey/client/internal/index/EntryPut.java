/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/**
 * An entry to be written.
 *
 * @param index the table of the index
 * @param put with the logical key of the entry as its row
 */
public record EntryPut(TableName index, Put put) {}
