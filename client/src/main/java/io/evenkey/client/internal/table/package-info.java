/**
 * HBase's client interfaces on tables with a layout: Table, AsyncTable, BufferedMutator,
 * RegionLocator and scanners. Callers see logical keys. Each class maps rows by {@code row}, sends
 * by {@code route}, and scans by {@code gather}. What concerns indexes, and what is made again
 * after a refusal, is asynchronous; blocking tables and mutators wait for it.
 */
@NullMarked
package io.evenkey.client.internal.table;

import org.jspecify.annotations.NullMarked;
