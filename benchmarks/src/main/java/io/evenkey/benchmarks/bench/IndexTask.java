/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.List;

/**
 * A measured operation on a table with two key orders.
 *
 * @param name the task's name in reports
 * @param kind the tables
 * @param how what is done
 * @param count the most rows that one round writes, or its number of reads
 * @param size the rows of one call; 0 for as many as there are
 */
public record IndexTask(String name, IndexKind kind, How how, int count, int size) {
  /** The task of a side. */
  enum How {
    /** New rows are put. */
    PUT,
    /** New rows are handed over to a buffer, which writes them in the background. */
    BUFFER,
    /** New rows are loaded as files. */
    LOAD,
    /** The customer of rows is replaced. */
    CHANGE,
    /** The first rows of a customer are read. */
    LIMIT,
    /** The rows of some customers are read. */
    RANGE,
    /** All rows are read. */
    ALL
  }

  private static final int BATCH = 1_000;
  private static final int PUTS = 2_000;
  private static final int MANY = 10_000;
  private static final int MOST = 50_000;
  private static final int SHORT_READS = 200;
  private static final int LONG_READS = 20;

  /** The tasks that are compared; those of one kind follow each other. */
  public static List<IndexTask> all() {
    return List.of(
        new IndexTask("events_put", IndexKind.EVENTS, How.PUT, PUTS, 1),
        new IndexTask("events_batch", IndexKind.EVENTS, How.PUT, MANY, BATCH),
        new IndexTask("events_buffered", IndexKind.EVENTS, How.BUFFER, MOST, BATCH),
        new IndexTask("events_bulk", IndexKind.EVENTS, How.LOAD, MOST, 0),
        new IndexTask("several_put", IndexKind.SEVERAL, How.PUT, PUTS, 1),
        new IndexTask("several_batch", IndexKind.SEVERAL, How.PUT, MANY, BATCH),
        new IndexTask("several_buffered", IndexKind.SEVERAL, How.BUFFER, MOST, BATCH),
        new IndexTask("mutable_put", IndexKind.MUTABLE, How.PUT, PUTS, 1),
        new IndexTask("mutable_batch", IndexKind.MUTABLE, How.PUT, MANY, BATCH),
        new IndexTask("mutable_buffered", IndexKind.MUTABLE, How.BUFFER, MOST, BATCH),
        new IndexTask("change_put", IndexKind.MUTABLE, How.CHANGE, PUTS, 1),
        new IndexTask("change_batch", IndexKind.MUTABLE, How.CHANGE, MANY, BATCH),
        limit("covered_limit_20", IndexKind.COVERED),
        range("covered_range_1000", IndexKind.COVERED),
        new IndexTask("covered_full", IndexKind.COVERED, How.ALL, 1, 0),
        limit("uncovered_limit_20", IndexKind.UNCOVERED),
        range("uncovered_range_1000", IndexKind.UNCOVERED),
        new IndexTask("uncovered_full", IndexKind.UNCOVERED, How.ALL, 1, 0));
  }

  private static IndexTask limit(String name, IndexKind kind) {
    return new IndexTask(name, kind, How.LIMIT, SHORT_READS, 20);
  }

  private static IndexTask range(String name, IndexKind kind) {
    return new IndexTask(name, kind, How.RANGE, LONG_READS, BATCH);
  }

  /** Whether region servers have to reach files that this process writes. */
  public boolean needsFiles() {
    return how == How.LOAD;
  }

  /** Whether it is about rows that are there. */
  boolean needsRows() {
    return how == How.CHANGE || kind.isRead();
  }

  /** Whether an application waits for each of its calls, whose time is reported. */
  boolean hasLatency() {
    return switch (how) {
      case PUT, BUFFER, CHANGE, LIMIT -> true;
      case LOAD, RANGE, ALL -> false;
    };
  }

  Task.Unit unit() {
    return how == How.LIMIT ? Task.Unit.MILLISECONDS : Task.Unit.ROWS_PER_SECOND;
  }
}
