/**
 * HBase tables over a layout: applications use logical keys, HBase stores physical rows.
 *
 * <p>This package is what applications use. {@link io.evenkey.client.EvenkeyConnection} and {@link
 * io.evenkey.client.EvenkeyAsyncConnection} are HBase's own connections over tables with a layout:
 * the drop-in client. {@link io.evenkey.client.SpreadTables} is Evenkey's own API on an HBase
 * connection; a {@link io.evenkey.client.SpreadTable} reads and writes one table, and a {@link
 * io.evenkey.client.SpreadMutator} writes many rows.
 *
 * <p>The interface also has {@code select} (reads by conditions), {@code plan} (how tables are
 * created), {@code failure} (the exceptions) and {@code cell} (types of columns). Everything in
 * {@code internal} may change with any version.
 */
@NullMarked
package io.evenkey.client;

import org.jspecify.annotations.NullMarked;
