/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.advisor.evaluate.WriteFigures;

/**
 * How uneven the writes of records are over servers, by windows of their arrival, as JSON: the
 * busiest server's share over the mean share. 1 is even, the number of servers is one server.
 *
 * @param mean over all windows
 * @param p99 99 in 100 windows have at most this
 * @param max of the worst window
 */
public record WriteSkewJson(double mean, double p99, double max) {
  /** That of measured writes. */
  public static WriteSkewJson of(WriteFigures writes) {
    return new WriteSkewJson(writes.mean(), writes.p99(), writes.max());
  }
}
