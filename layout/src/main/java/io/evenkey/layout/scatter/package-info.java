/**
 * Scatter: from a logical range, or a condition on fields, to the physical ranges that together
 * hold it.
 *
 * <p>A {@link io.evenkey.layout.scatter.Where} is a condition as people write it; it selects a
 * logical range and perhaps leaves something to be filtered. A {@link
 * io.evenkey.layout.scatter.Scatter} is the physical side of a logical range.
 */
@NullMarked
package io.evenkey.layout.scatter;

import org.jspecify.annotations.NullMarked;
