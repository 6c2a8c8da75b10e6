package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.query.Query;
import java.util.List;

/**
 * What a query costs under a layout, the mean over the instances of it that were tried. Immutable.
 *
 * @param query the query
 * @param fanOut physical ranges opened
 * @param rowsRead rows that servers go through
 * @param rowsReturned rows that are wanted
 * @param servers region servers touched
 * @param backwards whether the rows are read from the last to the first, which HBase does slowly
 * @param instances rows read by each instance that was tried, in the order of {@link Asked}
 * @param cost what it costs in milliseconds, its way to the servers and their work, by the cost
 *     model
 */
public record QueryFigures(
    Query query,
    double fanOut,
    double rowsRead,
    double rowsReturned,
    double servers,
    boolean backwards,
    List<Double> instances,
    double cost) {
  /** Copies the list. */
  public QueryFigures {
    instances = List.copyOf(instances);
  }

  /** Rows read for each row returned. */
  public double readAmplification() {
    return rowsRead / Math.max(1, rowsReturned);
  }
}
