/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A bounded world. Built by the methods that are named like what they change; immutable.
 *
 * @param name for the report
 * @param clients the operations of each client, one thing after the other
 * @param regions of each generation, each with one row
 * @param migrators the most runs of the migrator; each but the first takes over at any time
 * @param passes the most passes before the fence
 * @param reopening whether regions can move at any time
 * @param timeouts whether a client can lose patience once for each operation, while its request is
 *     on its way
 * @param retries whether a write of the migrator can arrive twice, the second time at any later
 *     time
 * @param goingBack whether the operator may roll back
 * @param again whether the last migrator begins a second migration after a rollback
 * @param skew whether the clocks of the new generation's servers are behind
 * @param failing whether a run can fail once while clients go over
 */
record Scenario(
    String name,
    List<Client> clients,
    int regions,
    int migrators,
    int passes,
    boolean reopening,
    boolean timeouts,
    boolean retries,
    boolean goingBack,
    boolean again,
    boolean skew,
    boolean failing) {

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
    return new Scenario(name, List.of(), 1, 1, 1, false, false, false, false, false, false, false);
  }

  private Scenario with(Client client) {
    List<Client> more = new ArrayList<>(clients);
    more.add(client);
    return new Scenario(
        name,
        List.copyOf(more),
        regions,
        migrators,
        passes,
        reopening,
        timeouts,
        retries,
        goingBack,
        again,
        skew,
        failing);
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
    return new Scenario(
        name, clients, count, migrators, passes, reopening, timeouts, retries, goingBack, again,
        skew, failing);
  }

  Scenario migrators(int count) {
    return new Scenario(
        name, clients, regions, count, passes, reopening, timeouts, retries, goingBack, again, skew,
        failing);
  }

  Scenario passes(int count) {
    return new Scenario(
        name, clients, regions, migrators, count, reopening, timeouts, retries, goingBack, again,
        skew, failing);
  }

  Scenario withReopening() {
    return new Scenario(
        name, clients, regions, migrators, passes, true, timeouts, retries, goingBack, again, skew,
        failing);
  }

  Scenario withTimeouts() {
    return new Scenario(
        name, clients, regions, migrators, passes, reopening, true, retries, goingBack, again, skew,
        failing);
  }

  Scenario withRetries() {
    return new Scenario(
        name, clients, regions, migrators, passes, reopening, timeouts, true, goingBack, again,
        skew, failing);
  }

  Scenario withRollback() {
    return new Scenario(
        name, clients, regions, migrators, passes, reopening, timeouts, retries, true, again, skew,
        failing);
  }

  Scenario withSecondMigration() {
    return new Scenario(
        name, clients, regions, migrators, passes, reopening, timeouts, retries, true, true, skew,
        failing);
  }

  Scenario withSkew() {
    return new Scenario(
        name, clients, regions, migrators, passes, reopening, timeouts, retries, goingBack, again,
        true, failing);
  }

  Scenario withFailure() {
    return new Scenario(
        name, clients, regions, migrators, passes, reopening, timeouts, retries, goingBack, again,
        skew, true);
  }

  @Override
  public String toString() {
    return name;
  }
}
