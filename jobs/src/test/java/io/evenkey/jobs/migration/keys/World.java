/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.keys;

/** What can happen. A state is an array of small numbers. */
interface World {
  /** Takes a state that can follow. */
  @FunctionalInterface
  interface Next {
    void accept(byte[] state, String what);
  }

  byte[] start();

  void next(byte[] state, Next next);

  /** The error of a state; empty if it has none. */
  String wrong(byte[] state);

  /** Whether a state is the end that the migration is to have. */
  boolean isEnd(byte[] state);
}
