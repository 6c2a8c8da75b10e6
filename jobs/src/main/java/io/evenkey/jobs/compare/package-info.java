/**
 * Two tables with the same logical keys, stored however they are, compared row by row and cell by
 * cell: what HBase's own tools cannot do, which compare in the order of what is stored.
 */
@NullMarked
package io.evenkey.jobs.compare;

import org.jspecify.annotations.NullMarked;
