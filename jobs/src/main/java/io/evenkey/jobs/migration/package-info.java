/**
 * A live table is migrated to its next generation: stage by stage, each of which can be begun
 * again. The protocol is in docs/decisions/0012.
 */
@NullMarked
package io.evenkey.jobs.migration;

import org.jspecify.annotations.NullMarked;
