/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/**
 * The network between an actor and the servers. A request is executed once and answered; or, as
 * often as a scenario has faults, the actor dies before it, or dies and the request is executed
 * late or never, or it is executed again at any later time, or its answer is lost and the actor
 * sends it again.
 */
final class Faults {
  /** Changes the state after an answer. */
  @FunctionalInterface
  interface Answer {
    void accept(State next, boolean done);
  }

  private final World world;

  Faults(World world) {
    this.world = world;
  }

  boolean areLeft(State state) {
    return state.get(State.FAULTS) < world.scenario().faults();
  }

  /** A copy of a state that has a fault more. */
  State fault(State state) {
    State next = state.copy();
    next.set(State.FAULTS, state.get(State.FAULTS) + 1);
    return next;
  }

  /** All that can happen to a request. */
  void send(State state, int actor, int dead, long request, Steps steps, Answer answer) {
    String name = world.name(actor);
    State next = state.copy();
    boolean done = execute(next, request);
    answer.accept(next, done);
    steps.add(next, name, done ? "" : "is refused", request);
    if (!areLeft(state)) {
      return;
    }
    next = fault(state);
    next.actorAt(actor, dead);
    steps.add(next, name, "dies before", request);

    if (state.hasRoom()) {
      next = fault(state);
      next.actorAt(actor, dead);
      next.addLate(request);
      steps.add(next, name, "dies, and on its way is", request);

      next = fault(state);
      done = execute(next, request);
      next.addLate(request);
      answer.accept(next, done);
      steps.add(
          next, name, done ? "and once more on its way" : "is refused, and on its way", request);
    }
    next = fault(state);
    execute(next, request);
    steps.add(next, name, "loses the answer to", request);
  }

  /** The requests that arrive late. */
  void next(State state, Steps steps) {
    for (int place = 0; place < State.LATE_REQUESTS; place++) {
      long request = state.late(place);
      if (request != 0) {
        State next = state.copy();
        next.removeLate(place);
        execute(next, request);
        steps.add(next, "late", "", request);
      }
    }
  }

  private boolean execute(State state, long request) {
    return switch (Request.kind(request)) {
      case PUT_ENTRY, REMOVE_ENTRY, SETTLE -> {
        world.index().execute(state, request);
        yield true;
      }
      default -> world.table().execute(state, request);
    };
  }
}
