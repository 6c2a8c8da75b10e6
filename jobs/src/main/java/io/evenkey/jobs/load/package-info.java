/**
 * Records written to a table without loss, duplicates or unnoticed overwriting, also after a crash.
 *
 * <p>A {@link io.evenkey.jobs.load.Loader} reads records in order and writes them in batches,
 * several at once. A record's row and timestamps depend on the record and on the begin of the load
 * alone, so writing it again changes nothing. A {@link io.evenkey.jobs.load.Checkpoint} is the
 * number of the record up to which all are written; a resumed load writes the following ones again.
 */
@NullMarked
package io.evenkey.jobs.load;

import org.jspecify.annotations.NullMarked;
