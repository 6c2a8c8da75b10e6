/**
 * Records into a table, so that nothing is lost, doubled or overwritten unnoticed, whatever happens
 * meanwhile.
 *
 * <p>A {@link io.evenkey.jobs.load.Loader} reads records in order, and writes them in batches, a
 * few at once. Every record's row and timestamps follow from the record and from when the load was
 * begun, so writing it again changes nothing. A {@link io.evenkey.jobs.load.Checkpoint} says up to
 * which record all are written; what comes behind is written again after a crash.
 */
@NullMarked
package io.evenkey.jobs.load;

import org.jspecify.annotations.NullMarked;
