/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * How a {@link Selection} would be read now: for tests that guard the cost of a query, and for
 * people who ask why a read is slow. Immutable.
 *
 * <pre>{@code
 * SelectionExplanation how = events.select().where("ts >= 2026-01-01").explain();
 * System.out.println(how.ranges().size() + " ranges: " + how.reason());
 * }</pre>
 *
 * @param table HBase's name of the table that would be read
 * @param layout the layout of that table
 * @param ranges the physical ranges, ascending
 * @param regions the number of regions that hold the ranges
 * @param servers the number of region servers that serve these regions
 * @param limit the largest number of rows that is read from the table; 0 for all rows of the ranges
 * @param gathering where the ranges are merged: {@code one_range}, {@code on_servers}, {@code
 *     servers_first}, or one of the reasons why the client merges them, such as {@code no_limit};
 *     as in the JSON of {@code evenkey scan --explain}
 * @param reason where the ranges are merged and why, as a phrase for people
 * @param tested the conditions that the client tests on each row, because the ranges also hold rows
 *     that do not meet them; empty if the ranges are exact
 * @param choice the ways to read that were compared. If an index is chosen, all other values
 *     describe the scan of its entries; the client then reads their rows in batches
 */
public record SelectionExplanation(
    TableName table,
    Layout layout,
    List<KeyRange> ranges,
    int regions,
    int servers,
    long limit,
    String gathering,
    String reason,
    List<String> tested,
    ReadChoice choice) {
  /** Copies the lists. */
  public SelectionExplanation {
    ranges = List.copyOf(ranges);
    tested = List.copyOf(tested);
  }

  SelectionExplanation with(ReadChoice other) {
    return new SelectionExplanation(
        table, layout, ranges, regions, servers, limit, gathering, reason, tested, other);
  }
}
