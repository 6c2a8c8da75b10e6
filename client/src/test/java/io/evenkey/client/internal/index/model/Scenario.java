/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A bounded world. Built by the methods that are named like what they change; immutable.
 *
 * @param name for the report
 * @param mutable whether rows change by the protocol for mutable rows, or else for events
 * @param rows the columns of each row at the start
 * @param indexed whether these rows have entries, or were there before the index
 * @param writers the clients that write
 * @param sweeps the sweeps
 * @param faults the most faults
 * @param with what else can happen
 */
record Scenario(
    String name,
    boolean mutable,
    List<Integer> rows,
    boolean indexed,
    List<Writer> writers,
    int sweeps,
    int faults,
    Set<Scenario.With> with) {

  /** The actors and events of a world beside writers and sweeps. */
  enum With {
    READER,
    /** Rows are append-only, and the entries of rows that are seen are settled. */
    SETTLING,
    /** The index is added while the clients write. */
    FILLER,
    /** The index is dropped at any time; with {@link #FILLER}, it is added again. */
    DROPPING,
    /** The table is migrated at any time. */
    MIGRATION,
    /** The clock of the row's server goes back at any time, and catches up at any time. */
    SKEW,
    /** A region opens on another server at any time. */
    REOPENING
  }

  /**
   * A client that writes once.
   *
   * @param operation what it does
   * @param rows the rows that it does it to in one batch, one bit each
   * @param ignorant whether it does not know the index
   */
  record Writer(Operation operation, int rows, boolean ignorant) {}

  static Scenario events(String name) {
    return new Scenario(name, false, List.of(Columns.ABSENT), true, List.of(), 0, 1, Set.of());
  }

  static Scenario mutable(String name) {
    return new Scenario(name, true, List.of(Columns.ABSENT), true, List.of(), 0, 1, Set.of());
  }

  /** The rows that are there at the start, with their entries. */
  Scenario rows(Operation... present) {
    return starting(true, present);
  }

  /** The rows that are there at the start, before the index is added. */
  Scenario oldRows(Operation... present) {
    return starting(false, present).with(With.FILLER);
  }

  /** The index is dropped at any time, and added again. */
  Scenario dropped() {
    return with(With.DROPPING).with(With.FILLER);
  }

  private Scenario starting(boolean withEntries, Operation... present) {
    List<Integer> columns = new ArrayList<>();
    for (Operation operation : present) {
      columns.add(operation.columns());
    }
    return new Scenario(
        name, mutable, List.copyOf(columns), withEntries, writers, sweeps, faults, with);
  }

  Scenario writer(Operation operation) {
    return writer(new Writer(operation, 1, false));
  }

  Scenario writerOfSecondRow(Operation operation) {
    return writer(new Writer(operation, 2, false));
  }

  Scenario batch(Operation operation) {
    return writer(new Writer(operation, 3, false));
  }

  Scenario ignorant(Operation operation) {
    return writer(new Writer(operation, 1, true));
  }

  private Scenario writer(Writer writer) {
    List<Writer> more = new ArrayList<>(writers);
    more.add(writer);
    return new Scenario(name, mutable, rows, indexed, List.copyOf(more), sweeps, faults, with);
  }

  Scenario sweeps(int count) {
    return new Scenario(name, mutable, rows, indexed, writers, count, faults, with);
  }

  Scenario faults(int most) {
    return new Scenario(name, mutable, rows, indexed, writers, sweeps, most, with);
  }

  Scenario with(With what) {
    EnumSet<With> more = EnumSet.of(what);
    more.addAll(with);
    return new Scenario(name, mutable, rows, indexed, writers, sweeps, faults, more);
  }

  boolean has(With what) {
    return with.contains(what);
  }

  @Override
  public String toString() {
    return (mutable ? "mutable: " : "events: ")
        + name
        + "; writers: "
        + writers.size()
        + ", sweeps: "
        + sweeps
        + ", faults: "
        + faults
        + (with.isEmpty() ? "" : " " + with);
  }
}
