/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The parts of the client, which applications do not use: any version may change them. An operation
 * passes these packages: {@code catalog} finds the table's layout and generation, {@code table}
 * implements HBase's interfaces, {@code route} repeats an operation that a region server refuses,
 * {@code row} maps rows between logical and physical keys, and {@code gather} merges the buckets of
 * a scan. {@code descriptor} has the attributes of a table's descriptor, in which the layout is
 * stored, and {@code registry} what ZooKeeper has of tables.
 */
@NullMarked
package io.evenkey.client.internal;

import org.jspecify.annotations.NullMarked;
