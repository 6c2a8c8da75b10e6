/**
 * Gather: the ordered rows of k buckets become one ordered stream.
 *
 * <pre>
 *   application: ResultScanner                    application: observer, publisher
 *        Gather  waits for rows                        AsyncGather  is told of rows
 *           \_________________________  ___________________________/
 *                                      \/
 *                        ScanStrategy  (chosen by Gathering)
 *              ________________________|__________________________
 *             |                        |                          |
 *        ServersFirst             PartsFirst                    Merge
 *        a short scan: servers    a short scan, without         all other scans
 *        send its first rows      servers that gather: the         |        \
 *        in order                 ranges that begin first     MergeHeads   RangeBuffer, one a range
 *             |      \_____________    |                      LoserTree       |          |
 *             |       the rest     \___|_____________________/             ServerQueue    |
 *             |                                                               |          |
 *        ServerGather &lt;------------- the first rows of each of many ranges ---------------+
 *             |                                                               |
 *   region servers: one request for all their ranges                a scan of one range
 * </pre>
 *
 * <p>A {@code ScanStrategy} gives the rows that have come, and waits for nothing unless it is told
 * to; so both interfaces read a scan in the same way. {@code Merge} reads all ranges at once, with
 * a bounded number of scans on each region server ({@code ServerQueues}). A {@code RangeBuffer}
 * holds the results of one bucket that are not merged yet. {@code MergeHeads} has the first row of
 * each buffer in a loser tree, and {@code Merge} gives the least one. A scan that nobody reads lets
 * go of its scanners ({@code IdleScans}), and one that is garbage is closed ({@code ScanCloser}).
 */
@NullMarked
package io.evenkey.client.internal.gather;

import org.jspecify.annotations.NullMarked;
