/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Makes the calls of a round before anything is measured: of new orders in each round, of random
 * customers, the same for all sides. A read fails that does not return what was written. Not
 * thread-safe.
 */
final class IndexCalls implements Closeable {
  /** Single calls write at most this part of the table's rows in a round. */
  private static final int SINGLE_SHARE = 10;

  private final Orders orders;
  private final OrderFile file = new OrderFile();
  private long next;

  IndexCalls(Orders orders) {
    this.orders = orders;
    this.next = orders.count();
  }

  /** The calls of a round; the number of the round decides on what is read and changed. */
  List<IndexCall> of(IndexTask task, int round) throws IOException {
    SplittableRandom random = new SplittableRandom(round);
    return switch (task.how()) {
      case PUT -> batches(newOnes(task), task.size(), IndexSide::put);
      case CHANGE -> batches(changed(task, random), task.size(), IndexSide::change);
      case BUFFER -> {
        List<IndexCall> made = batches(newOnes(task), task.size(), IndexSide::buffer);
        made.add(new IndexCall(0, IndexSide::flush));
        yield made;
      }
      case LOAD -> {
        List<Order> all = newOnes(task);
        Path csv = file.write(all);
        yield List.of(new IndexCall(all.size(), side -> side.load(csv)));
      }
      case LIMIT -> reads(task, orders.customers(), () -> some(random, 1, task.size()));
      case RANGE ->
          reads(
              task,
              orders.count() / task.size(),
              () -> some(random, task.size() / Orders.PER_CUSTOMER, 0));
      case ALL -> reads(task, 1, () -> OrderRead.ALL);
    };
  }

  // Tables of few rows have short rounds.
  private int rows(IndexTask task) {
    int most = orders.count() / (task.size() == 1 ? SINGLE_SHARE : 1);
    return Math.min(task.count(), most);
  }

  private List<Order> newOnes(IndexTask task) {
    List<Order> some = orders.from(next, rows(task));
    next += some.size();
    return some;
  }

  private List<Order> changed(IndexTask task, SplittableRandom random) {
    int rows = rows(task);
    return orders.from(random.nextInt(orders.count() - rows + 1), rows).stream()
        .map(order -> order.of(Orders.customer(random.nextInt(orders.customers()))))
        .toList();
  }

  /** Some rows in one call of a side. */
  @FunctionalInterface
  private interface Write {
    void to(IndexSide side, List<Order> orders) throws IOException;
  }

  private static List<IndexCall> batches(List<Order> orders, int size, Write write) {
    List<IndexCall> calls = new ArrayList<>();
    for (int from = 0; from < orders.size(); from += size) {
      List<Order> some = orders.subList(from, Math.min(from + size, orders.size()));
      calls.add(new IndexCall(some.size(), side -> write.to(side, some)));
    }
    return calls;
  }

  private OrderRead some(SplittableRandom random, int customers, int limit) {
    int first = random.nextInt(orders.customers() - customers + 1);
    return new OrderRead(first, customers, limit);
  }

  private List<IndexCall> reads(IndexTask task, int most, Supplier<OrderRead> read) {
    long count = Math.min(task.count(), most);
    return Stream.generate(read).limit(count).map(one -> read(task, one)).toList();
  }

  private IndexCall read(IndexTask task, OrderRead read) {
    OrderSum expected = orders.expected(read);
    return new IndexCall(
        expected.rows(),
        side -> {
          try (RowScan scan = side.scan(read)) {
            check(task, side, OrderSum.of(scan), expected);
          }
        });
  }

  private static void check(IndexTask task, IndexSide side, OrderSum read, OrderSum expected)
      throws IOException {
    if (!read.isSame(expected)) {
      throw new IOException(
          side.name()
              + " read other rows than were written: task="
              + task.name()
              + " rows="
              + read.rows()
              + " expected="
              + expected.rows());
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
