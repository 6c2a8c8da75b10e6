/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One way to keep orders in HBase in the order of their numbers and in that of their customers. Has
 * tables of its own, of one {@link IndexKind}, which it drops when it is closed. Not thread-safe.
 */
public interface IndexSide extends Closeable {
  /** The side's name in reports. */
  String name();

  /** Whether this side can run the task. */
  boolean can(IndexTask task);

  /** Writes new orders: one by a single put, several as one list. */
  void put(List<Order> orders) throws IOException;

  /** Hands over new orders, to be written in the background; waits while the buffer is full. */
  void buffer(List<Order> orders) throws IOException;

  /** Writes the orders that were handed over; all are written on return. */
  void flush() throws IOException;

  /** Replaces the customer of orders that are there: one by a single put, several as one list. */
  void change(List<Order> orders) throws IOException;

  /** Loads a CSV of new orders, whose columns have the names of an order's parts. */
  void load(Path csv) throws IOException;

  /** Flushes the tables, and does what an operator does now and then so that reads are fast. */
  void settle() throws IOException;

  /** Reads orders by customer; each row is {@link Order#mixed}. */
  RowScan scan(OrderRead read) throws IOException;
}
