/**
 * Tables written out: a {@link io.evenkey.jobs.export.RowQuery} says which rows, {@link
 * io.evenkey.jobs.export.Row} is one of them with its values, a {@link
 * io.evenkey.jobs.export.RowOutput} writes them down.
 */
@NullMarked
package io.evenkey.jobs.export;

import org.jspecify.annotations.NullMarked;
