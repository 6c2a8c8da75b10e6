package io.evenkey.app.heat.counters;

/**
 * What a region's counters say at one moment.
 *
 * @param table the table's name
 * @param region the region's encoded name
 * @param start its first key; empty for the table's first region
 * @param end the key before which it ends; empty for the table's last region
 * @param server host, port and start code of who serves it
 * @param countedAt when the server has counted, in milliseconds since 1970
 * @param reads read requests since the region was opened there
 * @param writes write requests since then
 * @param megabytes what it holds, in files and in memory, in HBase's whole megabytes
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
