/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.List;

/**
 * Writes of growing keys, or reads of random keys.
 *
 * @param name the task's name in reports
 * @param how the HBase call
 * @param rows the number of rows in one round
 */
public record PointTask(String name, How how, int rows) {
  /** The HBase call. */
  enum How {
    BUFFERED,
    /** Several threads share a mutator. */
    BUFFERED_TOGETHER,
    PUT,
    PUT_LIST,
    GET,
    GET_LIST
  }

  /** The number of threads that share a mutator. */
  static final int THREADS = 8;

  /** The number of rows of a list. */
  static final int LIST = 100;

  static List<PointTask> puts() {
    return List.of(
        new PointTask("put_buffered", How.BUFFERED, 20_000),
        new PointTask("put_buffered_by_8", How.BUFFERED_TOGETHER, 40_000),
        new PointTask("put", How.PUT, 1_000),
        new PointTask("put_list_100", How.PUT_LIST, 10_000));
  }

  static List<PointTask> gets() {
    return List.of(
        new PointTask("get", How.GET, 1_000), new PointTask("get_list_100", How.GET_LIST, 5_000));
  }

  boolean writes() {
    return how != How.GET && how != How.GET_LIST;
  }
}
