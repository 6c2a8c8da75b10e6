/**
 * Gather on the region server: one scan returns the first rows, in logical order, of all ranges of
 * a table that are on this server.
 *
 * <p>A scan with the attribute {@link io.evenkey.protocol.gather.GatherAttributes#REQUEST} names
 * regions of this server and ranges in them. {@link io.evenkey.server.gather.RegionGather} reads
 * each range by a scanner of its region, with that region's coprocessors, and keeps the least rows
 * ({@code TopRows}), or the first ones of each range ({@code RangeRows}). The rows are in memory
 * before the scan is answered, so nothing stays open, and regions may move between requests.
 */
@NullMarked
package io.evenkey.server.gather;

import org.jspecify.annotations.NullMarked;
