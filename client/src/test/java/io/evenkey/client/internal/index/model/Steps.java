/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/** Takes the steps that can happen next. */
@FunctionalInterface
interface Steps {
  /**
   * A step.
   *
   * @param next the state after it, which the receiver may keep
   * @param actor the name of the actor
   * @param what the step, in words
   * @param request the request that the step is about; 0 if none
   */
  void add(State next, String actor, String what, long request);
}
