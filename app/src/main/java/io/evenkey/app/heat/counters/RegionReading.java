/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.heat.counters;

/**
 * The counters of a region at one moment.
 *
 * @param table the table's name
 * @param region the region's encoded name
 * @param start its first key; empty for the table's first region
 * @param end its end key, exclusive; empty for the table's last region
 * @param server host, port and start code of its region server
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
    long countedAt,
    long reads,
    long writes,
    double megabytes) {
  RegionReading sharing(RegionReading old) {
    return new RegionReading(
        old.table,
        old.region,
        old.start,
        old.end,
        old.server.equals(server) ? old.server : server,
        countedAt,
        reads,
        writes,
        megabytes);
  }
}
