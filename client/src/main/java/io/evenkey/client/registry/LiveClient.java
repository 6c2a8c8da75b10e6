package io.evenkey.client.registry;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;

/**
 * A connection that works on tables, as long as it lives. Immutable.
 *
 * @param id tells it from all others
 * @param host where it runs
 * @param process its process there
 * @param user as the operating system or Kerberos calls who runs it
 * @param version of Evenkey, or {@code unknown}
 * @param since when it was opened
 * @param tables those that it uses, and the epoch of each one's moves that it acts by
 */
public record LiveClient(
    String id,
    String host,
    long process,
    String user,
    String version,
    Instant since,
    Map<TableName, Integer> tables) {
  /** Copies the tables. */
  public LiveClient {
    tables = Collections.unmodifiableMap(new TreeMap<>(tables));
  }

  /** Who and where it is, for people: {@code user@host:process}. */
  public String where() {
    return user + "@" + host + ":" + process;
  }

  /** The same, acting by an epoch of a table. */
  LiveClient with(TableName table, int epoch) {
    Map<TableName, Integer> all = new TreeMap<>(tables);
    all.put(table, epoch);
    return new LiveClient(id, host, process, user, version, since, all);
  }
}
