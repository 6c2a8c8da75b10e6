/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.jobs.compare.Cells;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.text.LayoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of the secondary generation as they are in the primary, where the migration changes
 * the row key. Both ways, a row is known by the key that it has in the source, its <em>first
 * key</em>, and the target may have it by each of the keys that {@link NextKeys} has for it:
 *
 * <ul>
 *   <li>from the source to the target, it is written by its present next key, which is added to
 *       {@code NextKeys} before, and taken away by all others;
 *   <li>from the target to the source, it is written as readers see it there by the one key by
 *       which they see it, without deletions. Two such keys are refused, unless a client takes one
 *       of them away soon: the source can have only one row.
 * </ul>
 *
 * <p>Done twice, it changes nothing. Not thread-safe.
 */
public final class ChangedKeyRepairs {
  private final RepairedRows rows;
  private final KeyChange change;
  private final Layout source;
  private final Layout target;

  private final Duration patience;

  /** Whether the source is the primary. */
  private final boolean forward;

  /** Null if the key is made of the key before alone, so that a row has one next key for ever. */
  private final @Nullable AsyncTable<?> nextKeys;

  /**
   * Repairs rows.
   *
   * @param tagged a connection to which region servers send tags
   * @param versions the versions that the families keep
   * @param primary one of the two sides has changed keys
   * @param turn the run of the migration
   * @param patience for how long the target may have a row by two keys, because a client is moving
   *     it from one to the other
   */
  public ChangedKeyRepairs(
      AsyncConnection tagged,
      KeptVersions versions,
      GenerationSide primary,
      GenerationSide secondary,
      long turn,
      Duration patience) {
    this.patience = patience;
    this.forward = secondary.keys() != null;
    GenerationSide next = forward ? secondary : primary;
    this.rows =
        new RepairedRows(tagged, versions, primary, secondary, turn, RowRepairs.Sending.REPEATED);
    this.change = Objects.requireNonNull(next.keys());
    this.source = (forward ? primary : secondary).layout();
    this.target = next.layout();
    this.nextKeys =
        change.takesColumns()
            ? RepairedRows.table(tagged, NextKeys.table(next.table())).build()
            : null;
  }

  /**
   * Repairs.
   *
   * @param keys logical keys in the primary
   * @return those of rows that differed: logical keys in the source
   * @throws UnplacedRowException if the secondary cannot have a row
   */
  public List<byte[]> repair(List<byte[]> keys) throws IOException {
    List<byte[]> differed = new ArrayList<>();
    for (List<byte[]> some : RepairedRows.parts(keys)) {
      List<Row> mutations = new ArrayList<>();
      for (Pair pair : pairs(some)) {
        if (rows.isHidden(pair.right, pair.has)) {
          throw UnplacedRowException.of(
              source.labelLogical(pair.firstKey),
              "its key is one that it already had during the migration, where deletes hide the"
                  + " cells that were not written since");
        }
        int before = mutations.size();
        rows.add(pair.key, pair.right, pair.has, mutations);
        if (mutations.size() > before) {
          differed.add(pair.firstKey);
        }
      }
      rows.send(mutations);
    }
    return differed;
  }

  /**
   * The rows that differ: clients do not write any of them now.
   *
   * @param keys logical keys in the primary
   * @return logical keys in the source
   */
  public List<byte[]> differing(List<byte[]> keys) throws IOException {
    List<byte[]> differing = new ArrayList<>();
    for (List<byte[]> some : RepairedRows.parts(keys)) {
      for (Pair pair : pairs(some)) {
        if (!rows.isAlike(pair.right, pair.has)) {
          differing.add(pair.firstKey);
        }
      }
    }
    return differing;
  }

  /**
   * A row of the secondary.
   *
   * @param firstKey its key in the source
   * @param key its key in the secondary
   * @param right the cells that it is to have, with deletions
   * @param has the cells that it has, with deletions
   */
  @SuppressWarnings("ArrayRecordComponent") // read, never compared
  private record Pair(byte[] firstKey, byte[] key, Cell[] right, Cell[] has) {}

  private List<Pair> pairs(List<byte[]> keys) throws IOException {
    return forward ? forward(keys) : back(keys);
  }

  // ---- to the target

  private List<Pair> forward(List<byte[]> keys) throws IOException {
    Map<ByteString, Set<ByteString>> places = known(keys);
    List<CompletableFuture<List<Result>>> reads = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      reads.add(rows.primary(key));
    }
    List<Cell[]> rights = new ArrayList<>(keys.size());
    List<@Nullable ByteString> nexts = new ArrayList<>(keys.size());
    List<Put> added = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      Cell[] right = RepairedRows.cells(reads.get(i));
      ByteString next = next(key, right);
      rights.add(right);
      nexts.add(next);
      if (next != null && of(places, key).add(next)) {
        added.add(NextKeys.added(source.physical(key), next.toArray()));
      }
    }
    add(added);
    return toTarget(keys, places, rights, nexts);
  }

  private List<Pair> toTarget(
      List<byte[]> keys,
      Map<ByteString, Set<ByteString>> places,
      List<Cell[]> rights,
      List<@Nullable ByteString> nexts)
      throws IOException {
    List<Pair> pairs = new ArrayList<>(keys.size());
    List<CompletableFuture<List<Result>>> reads = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      for (ByteString place : of(places, key)) {
        reads.add(rows.secondary(place.toArray()));
      }
    }
    int read = 0;
    for (int i = 0; i < keys.size(); i++) {
      Cell[] right = rights.get(i);
      for (ByteString place : of(places, keys.get(i))) {
        Cell[] wanted = place.equals(nexts.get(i)) ? right : RepairedRows.tombstones(right);
        Cell[] has = RepairedRows.cells(reads.get(read++));
        pairs.add(new Pair(keys.get(i), place.toArray(), wanted, has));
      }
    }
    return pairs;
  }

  /** The present next key; null if readers see nothing of the row. */
  private @Nullable ByteString next(byte[] key, Cell[] row) throws UnplacedRowException {
    boolean deleted = Cells.isDeleted(row);
    if (deleted && change.takesColumns()) {
      return null;
    }
    String problem;
    try {
      byte[] next = change.next(key, row).orElse(null);
      if (next != null) {
        return ByteString.of(next);
      }
      problem = KeyChange.missing(change.columnNames());
    } catch (LayoutException e) {
      if (deleted) {
        return null;
      }
      problem = e.getMessage();
    }
    throw UnplacedRowException.of(source.labelLogical(key), problem);
  }

  // ---- to the source

  /**
   * Notes the keys of rows of the target that clients have written. All rows that changed have to
   * be noted before the first of them is repaired: a client may have moved a row from one key to
   * another.
   *
   * @param keys logical keys in the target
   */
  public void note(List<byte[]> keys) throws IOException {
    List<Put> added = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      added.add(NextKeys.added(source.physical(change.first(key)), key));
    }
    add(added);
  }

  /** Whether rows have to be {@linkplain #note noted} before they are repaired. */
  public boolean notes() {
    return !forward && nextKeys != null;
  }

  private List<Pair> back(List<byte[]> keys) throws IOException {
    Map<ByteString, Set<ByteString>> written = new LinkedHashMap<>();
    for (byte[] key : keys) {
      written
          .computeIfAbsent(ByteString.of(change.first(key)), first -> new LinkedHashSet<>())
          .add(ByteString.of(key));
    }
    List<byte[]> firstKeys = new ArrayList<>(written.size());
    written.keySet().forEach(first -> firstKeys.add(first.toArray()));
    Map<ByteString, Set<ByteString>> places = known(firstKeys);
    written.forEach((first, next) -> of(places, first.toArray()).addAll(next));
    return toSource(firstKeys, places);
  }

  private List<Pair> toSource(List<byte[]> firstKeys, Map<ByteString, Set<ByteString>> places)
      throws IOException {
    List<Pair> pairs = new ArrayList<>(firstKeys.size());
    long begun = System.nanoTime();
    List<byte[]> left = firstKeys;
    while (!left.isEmpty()) {
      boolean waits = System.nanoTime() - begun < patience.toNanos();
      left = toSource(left, places, pairs, waits);
      if (!left.isEmpty()) {
        RepairedRows.pause();
      }
    }
    return pairs;
  }

  /**
   * Reads rows.
   *
   * @param pairs takes those that have one key
   * @param waits whether one may have two keys
   * @return those that have two
   */
  private List<byte[]> toSource(
      List<byte[]> firstKeys,
      Map<ByteString, Set<ByteString>> places,
      List<Pair> pairs,
      boolean waits)
      throws IOException {
    List<CompletableFuture<List<Result>>> rights = new ArrayList<>();
    List<CompletableFuture<List<Result>>> reads = new ArrayList<>(firstKeys.size());
    for (byte[] first : firstKeys) {
      for (ByteString place : of(places, first)) {
        rights.add(rows.primary(place.toArray()));
      }
      reads.add(rows.secondary(first));
    }
    List<byte[]> twice = new ArrayList<>();
    int read = 0;
    for (int i = 0; i < firstKeys.size(); i++) {
      byte[] first = firstKeys.get(i);
      List<Cell[]> seen = new ArrayList<>();
      for (ByteString place : of(places, first)) {
        Cell[] row = RepairedRows.cells(rights.get(read++));
        if (nextKeys == null) {
          seen.add(row);
        } else if (!Cells.isDeleted(row)) {
          // A deletion by this key would hide what clients have put by another key before it.
          seen.add(rows.seen(row));
          if (seen.size() > 1 && !waits) {
            throw UnplacedRowException.ofTwo(
                target.labelLogical(place.toArray()), source.labelLogical(first));
          }
        }
      }
      Cell[] has = RepairedRows.cells(reads.get(i));
      if (seen.size() > 1) {
        twice.add(first);
      } else {
        pairs.add(new Pair(first, first, seen.isEmpty() ? new Cell[0] : seen.get(0), has));
      }
    }
    return twice;
  }

  // ---- next keys

  /** The next keys of rows, which can be added to. */
  private Map<ByteString, Set<ByteString>> known(List<byte[]> keys) throws IOException {
    Map<ByteString, Set<ByteString>> known = new LinkedHashMap<>();
    List<CompletableFuture<Result>> reads = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      known.put(ByteString.of(key), new LinkedHashSet<>());
      if (nextKeys != null) {
        reads.add(nextKeys.get(NextKeys.of(source.physical(key))));
      }
    }
    for (int i = 0; i < reads.size(); i++) {
      Set<ByteString> places = of(known, keys.get(i));
      for (byte[] next : NextKeys.in(Futures.get(reads.get(i)))) {
        places.add(ByteString.of(next));
      }
    }
    return known;
  }

  private static Set<ByteString> of(Map<ByteString, Set<ByteString>> places, byte[] firstKey) {
    return Objects.requireNonNull(places.get(ByteString.of(firstKey)));
  }

  // Before a row is written by the key.
  private void add(List<Put> added) throws IOException {
    if (nextKeys != null && !added.isEmpty()) {
      Futures.get(nextKeys.putAll(added));
    }
  }
}
