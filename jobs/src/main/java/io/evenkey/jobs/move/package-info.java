/**
 * A live table is moved to its next generation: stage by stage, each of which can be begun again.
 * The protocol is in docs/decisions/0012.
 */
@NullMarked
package io.evenkey.jobs.move;

import org.jspecify.annotations.NullMarked;
