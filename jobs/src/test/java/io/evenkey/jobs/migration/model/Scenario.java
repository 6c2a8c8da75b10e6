/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * A bounded world. Built by the methods that are named like what they change; immutable.
 *
 * @param name for the report
 * @param clients the operations of each client, one thing after the other
 * @param regions of each generation, each with one row
 * @param migrators the most runs of the migrator; each but the first takes over at any time
 * @param passes the most passes of a stage that makes passes
 * @param events what may happen; not to be changed
 */
record Scenario(
    String name,
    List<Client> clients,
    int regions,
    int migrators,
    int passes,
    EnumSet<Event> events) {

  /** What may happen in a world, or not. */
  enum Event {
    /** Regions move at any time. */
    REOPENING,
    /** A client loses patience once for each operation, while its request is on its way. */
    TIMEOUTS,
    /** A write of the migrator arrives twice, the second time at any later time. */
    RETRIES,
    /** The operator rolls back. */
    ROLLBACK,
    /** The last migrator begins a second migration after a rollback. */
    SECOND_MIGRATION,
    /** The clocks of the new generation's servers are behind. */
    SKEW,
    /** A run fails once while clients go over. */
    FAILURE,
    /**
     * A region opens once on a server without the guard, while its rows are marked or its writes
     * are refused.
     */
    LOST_GUARD,
    /** The regions of a generation are merged, and split again. */
    MERGES,
    /** The one region of a generation is split, and its halves are merged again. */
    SPLITS,
    /**
     * Of reads only this is decided: whether a client reads its own writes, and what it has read
     * before. In other worlds no region may answer a read that misses a write.
     */
    HISTORIES
  }

  /**
   * A client.
   *
   * @param ignorant it knows nothing of Evenkey and uses the first table by its name
   * @param calls its operations
   */
  record Client(boolean ignorant, List<Call> calls) {}

  /** An operation on the row of a region. */
  record Call(Operation operation, int row) {}

  static Scenario of(String name) {
    return new Scenario(name, List.of(), 1, 1, 1, EnumSet.noneOf(Event.class));
  }

  boolean has(Event event) {
    return events.contains(event);
  }

  boolean goingBack() {
    return has(Event.ROLLBACK);
  }

  private Scenario with(Client client) {
    List<Client> more = new ArrayList<>(clients);
    more.add(client);
    return new Scenario(name, List.copyOf(more), regions, migrators, passes, events);
  }

  /** A client of Evenkey that does these to row 0. */
  Scenario client(Operation... operations) {
    return client(0, operations);
  }

  Scenario client(int row, Operation... operations) {
    return with(new Client(false, calls(row, operations)));
  }

  /** HBase's own client. */
  Scenario ignorant(Operation... operations) {
    return with(new Client(true, calls(0, operations)));
  }

  private static List<Call> calls(int row, Operation... operations) {
    return List.of(operations).stream().map(operation -> new Call(operation, row)).toList();
  }

  Scenario regions(int count) {
    return new Scenario(name, clients, count, migrators, passes, events);
  }

  Scenario migrators(int count) {
    return new Scenario(name, clients, regions, count, passes, events);
  }

  Scenario passes(int count) {
    return new Scenario(name, clients, regions, migrators, count, events);
  }

  Scenario with(Event... more) {
    EnumSet<Event> all = EnumSet.copyOf(events);
    all.addAll(List.of(more));
    return new Scenario(name, clients, regions, migrators, passes, all);
  }

  @Override
  public String toString() {
    return name;
  }
}
