/**
 * The history of the writes and reads of a table with an index, and whether the reads kept the
 * guarantee: no acknowledged row lost, none doubled, no phantom, none out of order.
 */
@NullMarked
package io.evenkey.jobs.index.history;

import org.jspecify.annotations.NullMarked;
