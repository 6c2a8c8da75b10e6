package io.evenkey.client;

import io.evenkey.client.move.LiveTable;
import io.evenkey.client.registry.Membership;
import io.evenkey.client.registry.Move;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a connection, each the same object as long as the connection is open: whoever
 * writes to one of them is counted there. Thread-safe.
 */
final class LiveTables {
  private static final Pattern GENERATION = Pattern.compile("(.+)\\.g[0-9]+");

  private final LayoutTruth truth;
  private final Duration patience;
  private final Map<TableName, LiveTable> tables = new ConcurrentHashMap<>();

  LiveTables(LayoutTruth truth, Configuration configuration) {
    this.truth = truth;
    this.patience =
        Duration.ofMillis(
            configuration.getLong(
                HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
                HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT));
  }

  /** A table if it is followed already. */
  @Nullable LiveTable known(TableName table) {
    return tables.get(table);
  }

  /**
   * A table, by the name that applications call it by.
   *
   * @throws TableLayoutException if it is a generation of another one
   * @throws IOException if the registry is required and cannot be asked
   */
  LiveTable of(TableName name) throws IOException {
    LiveTable known = tables.get(name);
    if (known != null) {
      return known;
    }
    Membership membership = name.isSystemTable() ? null : truth.membership();
    if (membership == null) {
      return LiveTable.unmoved(name);
    }
    refuseGeneration(name);
    synchronized (this) {
      known = tables.get(name);
      if (known == null) {
        known = LiveTable.following(name, membership, patience);
        tables.put(name, known);
      }
      return known;
    }
  }

  /**
   * Refuses a table that is being moved, or has been moved to another generation; and a generation
   * of a table that is being moved.
   *
   * @throws TableLayoutException naming the generation
   */
  void refuseMoved(TableName name) throws IOException {
    if (name.isSystemTable() || truth.membership() == null) {
      return;
    }
    Move move = truth.move(name);
    if (move != null && (!move.stage().isOver() || !move.generation().equals(name))) {
      throw new TableLayoutException(
          name,
          move.stage().isOver()
              ? "table was moved, and is " + move.generation() + " now"
              : "table is being moved from " + move.source() + " to " + move.target(),
          "name the generation that is meant, when the move is over");
    }
    Move other = moveOfGeneration(name);
    if (other != null && !other.stage().isOver()) {
      throw new TableLayoutException(
          name,
          "generation of a table that is being moved from "
              + other.source()
              + " to "
              + other.target(),
          "change it when the move is over: evenkey migrate " + other.table() + " --status");
    }
  }

  // Written by its own name, nobody would know that it is written.
  private void refuseGeneration(TableName name) throws IOException {
    Move move = moveOfGeneration(name);
    if (move != null) {
      throw new TableLayoutException(
          name, "generation of another table, which is moved", "open " + move.table());
    }
  }

  /** The last move of the table that has such a generation, if there is one of that name. */
  private @Nullable Move moveOfGeneration(TableName name) throws IOException {
    Matcher generation = GENERATION.matcher(name.getQualifierAsString());
    if (!generation.matches()) {
      return null;
    }
    TableName table = TableName.valueOf(name.getNamespaceAsString(), generation.group(1));
    Move move = truth.move(table);
    boolean isOfMove = move != null && (name.equals(move.source()) || name.equals(move.target()));
    return isOfMove ? move : null;
  }
}
