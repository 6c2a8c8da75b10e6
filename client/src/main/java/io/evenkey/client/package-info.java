/**
 * HBase tables over a layout: applications use logical keys, HBase stores physical rows.
 *
 * <p>This package is what applications use. {@link io.evenkey.client.EvenkeyConnection} and {@link
 * io.evenkey.client.EvenkeyAsyncConnection} are HBase's own connections over tables with a layout:
 * the drop-in client. {@link io.evenkey.client.SpreadTables} is Evenkey's own API on an HBase
 * connection; a {@link io.evenkey.client.SpreadTable} reads and writes one table, and a {@link
 * io.evenkey.client.SpreadMutator} writes many rows.
 *
 * <p>An operation passes these packages: {@code catalog} finds the table's layout and generation,
 * {@code table} implements HBase's interfaces, {@code route} repeats an operation that a region
 * server refuses, {@code row} maps rows between logical and physical keys, and {@code gather}
 * merges the buckets of a scan. {@code descriptor} has the attributes of a table's descriptor, in
 * which the layout is stored.
 */
@NullMarked
package io.evenkey.client;

import org.jspecify.annotations.NullMarked;
