/**
 * Hot keys, counted where all traffic passes. {@link io.evenkey.server.hotkeys.RegionHotKeys} takes
 * a sample of one region's operations, keeps the most frequent rows of the last minute in two
 * sketches of bounded memory, and answers questions for them.
 */
@NullMarked
package io.evenkey.server.hotkeys;

import org.jspecify.annotations.NullMarked;
