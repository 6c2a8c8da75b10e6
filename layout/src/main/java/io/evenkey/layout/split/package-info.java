/**
 * Split keys: where a table is cut into regions when it is created.
 *
 * <p>A {@link io.evenkey.layout.split.SplitAlgorithm} proposes the boundaries, a {@link
 * io.evenkey.layout.split.SplitPlan} is what it proposed.
 */
@NullMarked
package io.evenkey.layout.split;

import org.jspecify.annotations.NullMarked;
