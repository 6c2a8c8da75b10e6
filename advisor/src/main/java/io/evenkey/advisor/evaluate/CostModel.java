package io.evenkey.advisor.evaluate;

/**
 * The costs of reading from a cluster. Immutable.
 *
 * @param queryMs a query, whatever it reads: the way to a server and back
 * @param requestMs a request to a range, until its first row
 * @param rowMs a row gone through
 * @param backwards how much longer a row takes that is read from the last to the first
 */
public record CostModel(double queryMs, double requestMs, double rowMs, double backwards) {
  /**
   * Measured on the embedded HBase (docs/benchmarks.md): a request 35 µs of a core on each side, a
   * million rows a second, reversed scans a fifth of that through Evenkey. A round trip in a data
   * centre takes half a millisecond.
   */
  public static final CostModel USUAL = new CostModel(0.5, 0.07, 0.001, 5);

  double cost(double requests, double rows, boolean reversed) {
    return queryMs + requests * requestMs + rows * rowMs * (reversed ? backwards : 1);
  }
}
