/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

/**
 * The counters of a region at one moment.
 *
 * @param table the name of its table that applications use
 * @param region the region's encoded name
 * @param start its first key; empty for the table's first region
 * @param end its end key, exclusive; empty for the table's last region
 * @param server host, port and start code of its region server
 * @param openedAt when the region was opened there, in milliseconds since 1970; 0 if not known
 * @param countedAt the time of the server's report, in milliseconds since 1970
 * @param reads read requests since the region was opened there
 * @param writes write requests since then
 * @param megabytes its size, in store files and memstore, in HBase's whole megabytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RegionReading(
    String table,
    String region,
    byte[] start,
    byte[] end,
    String server,
    long openedAt,
    long countedAt,
    long reads,
    long writes,
    double megabytes) {
  /** Returns this reading with its table under another name. */
  RegionReading of(String name) {
    return new RegionReading(
        name, region, start, end, server, openedAt, countedAt, reads, writes, megabytes);
  }

  RegionReading sharing(RegionReading old) {
    return new RegionReading(
        old.table.equals(table) ? old.table : table,
        old.region,
        old.start,
        old.end,
        old.server.equals(server) ? old.server : server,
        openedAt,
        countedAt,
        reads,
        writes,
        megabytes);
  }
}
