/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * The way in which a {@link Selection} would be read now. Immutable.
 *
 * <pre>{@code
 * SelectionExplanation how = events.select().where("ts >= 2026-01-01").explain();
 * }</pre>
 *
 * @param table the generation that would be read, by the name that HBase has for it
 * @param layout the layout of that generation
 * @param ranges the physical ranges, ascending
 * @param regions the number of regions that hold the ranges
 * @param servers the number of region servers that have these regions
 * @param limit the largest number of rows that is read from the table; 0 for all rows of the ranges
 * @param gathering the place where the rows are brought into one order: {@code one_range}, {@code
 *     on_servers}, {@code servers_first}, or one of the reasons why the client does it, such as
 *     {@code no_limit}; as in the JSON of {@code evenkey scan --explain}
 * @param reason the place and the reason for it, as a phrase for people
 * @param tested the conditions that the client tests on each row, since the ranges hold other rows
 *     too; empty if there are none
 * @param choice the candidates, of which one is read. If that is an index, all of the above is of
 *     the scan of its entries, whose rows are also read, in batches
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
