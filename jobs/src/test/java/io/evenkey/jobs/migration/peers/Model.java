/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

/**
 * What is searched.
 *
 * @param <S> the states, compared by value
 */
interface Model<S> {
  /** Takes what can happen. */
  @FunctionalInterface
  interface Next<S> {
    void accept(S next, String what);
  }

  S first();

  /** All that can happen. */
  void next(S state, Next<S> next);

  /** What is wrong; empty if nothing is. */
  String wrong(S state);

  /** Whether nothing has to happen any more. */
  boolean isEnd(S state);

  /** Whether no end has to be reached: there is one cluster only, or another source. */
  boolean isAlone(S state);
}
