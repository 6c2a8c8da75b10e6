/**
 * Records written to a table without loss, duplicates or unnoticed overwriting, also after a crash.
 *
 * <p>A {@link io.evenkey.jobs.load.Loader} reads records in order and writes them in batches,
 * several at once. A record's row depends on the record alone, and all cells have the time at which
 * the load began, so writing a record again changes nothing. The last of several records with one
 * key wins because it is written last, and never by a timestamp in the future, which would hide
 * what others write after the load. A {@link io.evenkey.jobs.load.Checkpoint} is the number of the
 * record up to which all are written; a resumed load writes the following ones again.
 */
@NullMarked
package io.evenkey.jobs.load;

import org.jspecify.annotations.NullMarked;
