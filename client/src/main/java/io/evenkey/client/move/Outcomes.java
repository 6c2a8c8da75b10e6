package io.evenkey.client.move;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/** Batches of which some actions may fail. Stateless. */
final class Outcomes {
  private Outcomes() {}

  /**
   * Does all actions that can be done.
   *
   * @return for each its result, or the {@link Throwable} that it failed with
   * @throws IOException if it is not known of any of them whether it was done
   */
  static Object[] of(Table table, List<? extends Row> actions) throws IOException {
    Object[] results = new Object[actions.size()];
    if (actions.isEmpty()) {
      return results;
    }
    try {
      table.batch(actions, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      for (int i = 0; i < results.length; i++) {
        results[i] = results[i] == null ? e : results[i];
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in a batch");
    }
    return results;
  }
}
