/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/** Takes the steps that can happen next. */
@FunctionalInterface
interface Steps {
  /**
   * A step.
   *
   * @param next the state after it, which the receiver may keep
   * @param step the kind of the step
   * @param actor the run of the migrator or the client
   * @param generation where
   * @param region the region, or the row in it
   */
  void add(State next, Step step, int actor, int generation, int region);
}
