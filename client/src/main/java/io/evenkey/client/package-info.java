/**
 * HBase tables over a layout: applications use logical keys, HBase stores spread rows.
 *
 * <p>{@link io.evenkey.client.SpreadTables} creates and opens them on an HBase connection; a {@link
 * io.evenkey.client.SpreadTable} reads and writes one. The layout of a table is in its own
 * descriptor ({@link io.evenkey.client.TableLayout}), so it cannot be lost or mistaken.
 *
 * <p>{@code row} carries rows from one side to the other, {@code gather} merges what was read.
 */
@NullMarked
package io.evenkey.client;

import org.jspecify.annotations.NullMarked;
