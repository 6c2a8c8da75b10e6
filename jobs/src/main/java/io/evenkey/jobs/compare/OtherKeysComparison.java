/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Compares two tables of which the second has the first one's rows by other keys: each row of one
 * is looked up in the other. Rows that seem to differ are not read again. Not thread-safe.
 */
public final class OtherKeysComparison {
  private final SpreadTable first;
  private final SpreadTable second;
  private final Lookup firsts;
  private final Lookup seconds;
  private final OtherKeys keys;
  private final Scan compared;

  /**
   * Prepares a comparison; nothing is read yet.
   *
   * @param compared a scan without bounds, of all families
   */
  public OtherKeysComparison(SpreadTable first, SpreadTable second, OtherKeys keys, Scan compared) {
    this.first = first;
    this.second = second;
    this.firsts = new Lookup(first, compared);
    this.seconds = new Lookup(second, compared);
    this.keys = keys;
    this.compared = compared;
  }

  /**
   * Compares.
   *
   * @param suspects is called with keys of the first table, of rows that differ, or that the second
   *     table has by a key that they are not to have; some of them more than once
   * @param progress is called with the number of rows of the first table that are compared
   * @return the number of rows of the first table
   */
  public long run(Comparison.Keys suspects, LongConsumer progress) throws IOException {
    Scan versions = new Scan(compared).readAllVersions();
    long[] rows = new long[1];
    new StoredOrder(first)
        .read(
            new byte[0],
            versions,
            some -> {
              give(suspects, differing(some));
              rows[0] += some.size();
              progress.accept(rows[0]);
              return true;
            });
    new StoredOrder(second)
        .read(
            new byte[0],
            versions,
            some -> {
              give(suspects, misplaced(some));
              progress.accept(rows[0]);
              return true;
            });
    return rows[0];
  }

  private static void give(Comparison.Keys suspects, List<byte[]> found) throws IOException {
    if (!found.isEmpty()) {
      suspects.accept(found);
    }
  }

  private List<byte[]> differing(List<Result> rows) throws IOException {
    List<byte[]> differing = new ArrayList<>();
    List<Result> placed = new ArrayList<>(rows.size());
    List<byte[]> places = new ArrayList<>(rows.size());
    for (Result row : rows) {
      Optional<byte[]> place = place(row.getRow(), row);
      if (place.isPresent()) {
        placed.add(row);
        places.add(place.get());
      } else {
        differing.add(row.getRow());
      }
    }
    Result[] others = seconds.rows(places);
    for (int i = 0; i < others.length; i++) {
      if (!Cells.same(placed.get(i), others[i])) {
        differing.add(placed.get(i).getRow());
      }
    }
    return differing;
  }

  private List<byte[]> misplaced(List<Result> rows) throws IOException {
    List<byte[]> origins = new ArrayList<>(rows.size());
    for (Result row : rows) {
      origins.add(keys.first(row.getRow()));
    }
    List<byte[]> misplaced = new ArrayList<>();
    Result[] others = firsts.rows(origins);
    for (int i = 0; i < others.length; i++) {
      byte[] origin = origins.get(i);
      byte[] place = others[i].isEmpty() ? null : place(origin, others[i]).orElse(null);
      if (!Arrays.equals(place, rows.get(i).getRow())) {
        misplaced.add(origin);
      }
    }
    return misplaced;
  }

  // The repair of a row that cannot have a key says why.
  private Optional<byte[]> place(byte[] key, Result row) {
    try {
      return keys.second(key, row);
    } catch (LayoutException e) {
      return Optional.empty();
    }
  }
}
