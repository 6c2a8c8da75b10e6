/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Operations on an {@link IndexedTable} at random, also those that its indexes refuse. Not
 * thread-safe.
 */
final class RandomOperations {
  static final int IDS = 100;
  static final int SELLERS = 3;

  private static final byte[] D = IndexedTable.D;
  private static final byte[] NOTE = Bytes.toBytes("note");
  private static final byte[] COUNT = Bytes.toBytes("count");
  // The last one is of no index.
  private static final String[] COLUMNS = {"customer", "state", "amount", "note"};

  /** Of the rows that operations change, so that many operations are of one row. */
  private static final int CHANGED_IDS = 6;

  private final SplittableRandom random;
  private final boolean changing;
  private final IntToLongFunction times;

  /**
   * @param changing whether the values of columns change; otherwise each row has its own
   * @param times the timestamps that operations may give, for 0 to 9
   */
  RandomOperations(SplittableRandom random, boolean changing, IntToLongFunction times) {
    this.random = random;
    this.changing = changing;
    this.times = times;
  }

  /** The rows with which the table begins. */
  List<Row> first() {
    List<Row> puts = new ArrayList<>();
    for (int id = 0; id < IDS; id++) {
      for (int seller = 0; seller < SELLERS; seller++) {
        if (random.nextInt(3) > 0) {
          byte[] row = IndexedTable.key("s" + seller, id);
          boolean isNoted = random.nextBoolean();
          puts.add(put(row, isNoted ? 4 : 3, HConstants.LATEST_TIMESTAMP));
        }
      }
    }
    return puts;
  }

  /** Actions of different rows, for one call. */
  List<Row> next() throws IOException {
    int count = random.nextBoolean() ? 1 : 2 + random.nextInt(6);
    List<Row> actions = new ArrayList<>();
    Set<String> rows = new HashSet<>();
    while (actions.size() < count) {
      Row action = action();
      if (rows.add(Bytes.toStringBinary(action.getRow()))) {
        actions.add(action);
      }
    }
    return actions;
  }

  /**
   * Puts for one call, several of them of the same row, which no index refuses. A batch has an
   * order only if rows change; otherwise those of one row are the same.
   */
  List<Row> puts() {
    List<Row> puts = new ArrayList<>();
    byte[][] rows = {row(), row()};
    for (int i = 2 + random.nextInt(6); i > 0; i--) {
      byte[] row = rows[random.nextInt(2)];
      puts.add(
          changing
              ? some(new Put(row), HConstants.LATEST_TIMESTAMP)
              : put(row, 3, HConstants.LATEST_TIMESTAMP));
    }
    return puts;
  }

  private byte[] row() {
    return IndexedTable.key("s" + random.nextInt(SELLERS), random.nextInt(CHANGED_IDS));
  }

  private long time() {
    return times.applyAsLong(random.nextInt(10));
  }

  private byte[] column() {
    return Bytes.toBytes(COLUMNS[random.nextInt(COLUMNS.length)]);
  }

  /** One of the columns of an index. */
  private byte[] indexed() {
    return Bytes.toBytes(COLUMNS[random.nextInt(COLUMNS.length - 1)]);
  }

  private Row action() throws IOException {
    byte[] row = row();
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> put(row);
      case 4, 5 -> delete(row);
      case 6 -> increment(row);
      case 7 -> append(row);
      case 8 -> RowMutations.of(mutations(row));
      case 9 -> RowMutations.of(List.of(delete(row), delete(row)));
      default -> check(row);
    };
  }

  private Increment increment(byte[] row) {
    return new Increment(row)
        .addColumn(D, random.nextInt(5) == 0 ? indexed() : COUNT, 1 + random.nextInt(5));
  }

  private Append append(byte[] row) {
    return new Append(row)
        .addColumn(D, random.nextInt(4) == 0 ? column() : NOTE, Bytes.toBytes("+"));
  }

  private Put put(byte[] row) {
    long time = random.nextInt(3) == 0 ? time() : HConstants.LATEST_TIMESTAMP;
    Put put =
        switch (random.nextInt(7)) {
          case 0, 1 -> put(row, 4, time);
          case 2 -> put(row, 3, time);
          case 3 -> put(row, 2, time);
          case 4 -> add(new Put(row), "note", time);
          default -> some(new Put(row), time);
        };
    switch (random.nextInt(20)) {
      case 0 -> put.setTTL(3_600_000);
      case 1 -> put.setTTL(1);
      case 2 -> add(put, COLUMNS[random.nextInt(COLUMNS.length)], time());
      default -> {}
    }
    return put;
  }

  /** A put of the first columns. */
  private Put put(byte[] row, int columns, long time) {
    Put put = new Put(row);
    for (int i = 0; i < columns; i++) {
      add(put, COLUMNS[i], time);
    }
    return put;
  }

  private Put some(Put put, long time) {
    int first = random.nextInt(COLUMNS.length);
    for (int i = 0; i < COLUMNS.length; i++) {
      if (i == first || random.nextInt(3) == 0) {
        add(put, COLUMNS[i], time);
      }
    }
    return put;
  }

  private Put add(Put put, String column, long time) {
    return put.addColumn(D, Bytes.toBytes(column), time, Bytes.toBytes(value(put, column)));
  }

  private String value(Put put, String column) {
    int own = Math.floorMod(Bytes.hashCode(put.getRow()), 997);
    int at = changing ? random.nextInt(1_000) : own;
    return switch (column) {
      case "customer" -> "c" + at % 10;
      case "state" -> "t" + at % 3;
      case "amount" -> "a" + at;
      default -> "n" + random.nextInt(100);
    };
  }

  private Delete delete(byte[] row) {
    boolean isTimed = random.nextInt(3) == 0;
    Delete delete = new Delete(row);
    return switch (random.nextInt(8)) {
      case 0 -> isTimed ? new Delete(row, time()) : delete;
      case 1 -> isTimed ? delete.addFamily(D, time()) : delete.addFamily(D);
      case 2 -> isTimed ? delete.addColumn(D, column(), time()) : delete.addColumn(D, column());
      case 3 -> delete.addFamilyVersion(D, time());
      case 4 -> delete.addColumns(D, NOTE);
      default -> isTimed ? delete.addColumns(D, column(), time()) : delete.addColumns(D, column());
    };
  }

  private List<Mutation> mutations(byte[] row) {
    List<Mutation> mutations = new ArrayList<>();
    mutations.add(
        random.nextBoolean()
            ? put(row)
            : add(
                new Put(row), "note", random.nextBoolean() ? time() : HConstants.LATEST_TIMESTAMP));
    if (random.nextBoolean()) {
      mutations.add(new Delete(row).addColumns(D, COUNT));
    }
    if (random.nextInt(3) == 0) {
      mutations.add(increment(row));
    }
    return mutations;
  }

  private CheckAndMutate check(byte[] row) throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    String column = COLUMNS[random.nextInt(COLUMNS.length)];
    byte[] qualifier = Bytes.toBytes(column);
    byte[] value = Bytes.toBytes(value(new Put(row), column));
    switch (random.nextInt(5)) {
      case 0 -> check.ifNotExists(D, qualifier);
      case 1 -> check.ifEquals(D, qualifier, value);
      case 2 -> check.ifMatches(new PrefixFilter(Bytes.toBytes("s" + random.nextInt(SELLERS))));
      case 3 -> check.ifMatches(new ColumnPrefixFilter(qualifier));
      default -> check.ifMatches(D, qualifier, CompareOperator.GREATER_OR_EQUAL, value);
    }
    return switch (random.nextInt(8)) {
      case 0 -> check.build(delete(row));
      case 1 -> check.build(increment(row));
      case 2 -> check.build(append(row));
      case 3 -> check.build(RowMutations.of(mutations(row)));
      case 4 -> check.build(RowMutations.of(List.of(delete(row), delete(row))));
      default -> check.build(put(row));
    };
  }
}
