package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/**
 * Several actions on both generations, one after the other, but for runs of puts, which go
 * together. Not thread-safe.
 */
final class DualBatch {
  /** In place of a server, in what is said of actions that failed. */
  static final String HOST = "two generations";

  private final DualWrites both;
  private final Table primary;
  private final Object[] results;
  private final List<Throwable> causes = new ArrayList<>();
  private final List<Row> failed = new ArrayList<>();

  /**
   * @param results where each action's result goes, or why it failed
   */
  DualBatch(DualWrites both, Table primary, Object[] results) {
    this.both = both;
    this.primary = primary;
    this.results = results;
  }

  /**
   * Does them all.
   *
   * @throws RetriesExhaustedWithDetailsException if some failed
   */
  void run(List<? extends Row> actions) throws IOException {
    for (int i = 0; i < actions.size(); ) {
      int end = i;
      while (end < actions.size() && actions.get(end) instanceof Put) {
        end++;
      }
      int next = Math.max(end, i + 1);
      try {
        if (end > i) {
          both.puts(actions.subList(i, end).stream().map(put -> (Put) put).toList(), results, i);
        } else {
          Row action = actions.get(i);
          results[i] = action instanceof Get get ? primary.get(get) : both.any(action);
        }
      } catch (IOException | RuntimeException e) {
        Arrays.fill(results, i, next, e);
      }
      for (int at = i; at < next; at++) {
        if (results[at] instanceof Throwable cause) {
          causes.add(cause);
          failed.add(actions.get(at));
        }
      }
      i = next;
    }
    if (!failed.isEmpty()) {
      throw new RetriesExhaustedWithDetailsException(
          causes, failed, Collections.nCopies(failed.size(), HOST));
    }
  }
}
