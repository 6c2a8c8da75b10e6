/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.query;

import java.util.List;

/**
 * The queries on the data, and the load. Immutable.
 *
 * @param queries at least one
 * @param writesPerSecond rows written in a second at the peak
 * @param rows the number of rows that the table will have
 * @param valueBytes bytes of the values of a row
 * @param growth by what the rows are multiplied in a year
 * @param servers region servers that share the table
 */
public record Workload(
    List<Query> queries,
    double writesPerSecond,
    double rows,
    int valueBytes,
    double growth,
    int servers) {
  /** The defaults. */
  public static final Workload USUAL = new Workload(List.of(), 1_000, 1e9, 100, 1, 3);

  /** Copies the list. */
  public Workload {
    queries = List.copyOf(queries);
  }

  /** Returns this workload on {@code count} servers. */
  public Workload on(int count) {
    return new Workload(queries, writesPerSecond, rows, valueBytes, growth, count);
  }

  /** Returns this workload with rows and writes that grow by {@code factor} in a year. */
  public Workload growing(double factor) {
    return new Workload(queries, writesPerSecond, rows, valueBytes, factor, servers);
  }

  /** The sum of the queries' weights. */
  public double weight() {
    return queries.stream().mapToDouble(Query::weight).sum();
  }
}
