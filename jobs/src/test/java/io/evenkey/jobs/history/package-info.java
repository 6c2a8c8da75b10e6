/**
 * The history of the writes and whole reads of a table, and whether the reads kept the guarantee:
 * no acknowledged row lost, none doubled, no phantom, none out of order.
 */
@NullMarked
package io.evenkey.jobs.history;

import org.jspecify.annotations.NullMarked;
