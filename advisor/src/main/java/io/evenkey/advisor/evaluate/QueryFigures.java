/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.query.Query;
import java.util.List;

/**
 * The cost of a query under a layout: the mean over its tried instances. Immutable.
 *
 * @param query the query
 * @param fanOut physical ranges opened
 * @param rowsRead rows that servers go through
 * @param rowsReturned rows that are wanted
 * @param servers region servers touched
 * @param backwards whether the rows are read from the last to the first, which HBase does slowly
 * @param instances rows read by each instance that was tried, in the order of {@link SampledQuery}
 * @param costs the cost of each instance, in the same order
 * @param cost its cost in milliseconds, network and servers together, by the cost model
 */
public record QueryFigures(
    Query query,
    double fanOut,
    double rowsRead,
    double rowsReturned,
    double servers,
    boolean backwards,
    List<Double> instances,
    List<Double> costs,
    double cost) {
  /** Copies the lists. */
  public QueryFigures {
    instances = List.copyOf(instances);
    costs = List.copyOf(costs);
  }

  /** Rows read for each row returned. */
  public double readAmplification() {
    return rowsRead / Math.max(1, rowsReturned);
  }
}
