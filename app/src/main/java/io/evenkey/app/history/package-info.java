/**
 * What the key space of a cluster took over time: readings of HBase's counters made columns, kept
 * in layers that grow coarser with age, stored in a spread table, and cut out as matrices.
 */
@NullMarked
package io.evenkey.app.history;

import org.jspecify.annotations.NullMarked;
