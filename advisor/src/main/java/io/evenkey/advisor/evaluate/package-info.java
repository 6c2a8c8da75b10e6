/**
 * Replays the sample under a layout: the buckets that writes go to, and the rows that each query
 * reads.
 */
@NullMarked
package io.evenkey.advisor.evaluate;

import org.jspecify.annotations.NullMarked;
