/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.trace.OperationSpan;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;

/**
 * What all parts of one scan share.
 *
 * @param table the table that is read
 * @param span of all that is done for the scan, which its owner ends
 * @param news called when something has come that the scan may wait for, in the thread that brought
 *     it
 * @param waiting of the reader
 */
record ScanContext(
    AsyncTable<AdvancedScanResultConsumer> table,
    OperationSpan span,
    Runnable news,
    ScanWait waiting) {}
