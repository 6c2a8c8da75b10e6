/**
 * Gather: the ordered rows of k buckets become one ordered stream.
 *
 * <p>A {@link io.evenkey.client.internal.gather.Gather} scans all buckets at once, with a bounded
 * number of scans on each region server ({@code ServerQueues}). A {@code RangeBuffer} holds the
 * results of one bucket that are not merged yet. {@code MergeHeads} has the first row of each
 * buffer in a loser tree, and {@code Merge} gives the least one.
 */
@NullMarked
package io.evenkey.client.internal.gather;

import org.jspecify.annotations.NullMarked;
