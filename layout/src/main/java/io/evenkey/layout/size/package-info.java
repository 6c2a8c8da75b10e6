/**
 * The number of regions that a table should have. Rules of thumb, each with its source and the
 * range in which it holds; where they contradict each other, all are shown.
 */
@NullMarked
package io.evenkey.layout.size;

import org.jspecify.annotations.NullMarked;
