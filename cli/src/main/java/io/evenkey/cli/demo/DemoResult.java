/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of the demonstration. Immutable.
 *
 * @param input the name of the input
 * @param records the number of records
 * @param servers the number of region servers
 * @param plan the parameters of the comparison
 * @param naive the table with plain keys
 * @param spread the table with spread keys
 * @param collisions records that share a key
 * @param seconds the duration, from the creation of the first table
 */
public record DemoResult(
    String input,
    int records,
    int servers,
    DemoPlan plan,
    TableRun naive,
    TableRun spread,
    DuplicateKeys collisions,
    double seconds) {
  /** Whether both tables returned every row, with its values, in the same logical order. */
  public boolean orderIdentical() {
    return naive.check().passed() && spread.check().passed();
  }

  /** The differences between the rows read back and the records; empty if none. */
  public List<String> differences() {
    List<String> found = new ArrayList<>();
    for (TableRun run : List.of(naive, spread)) {
      if (!run.check().passed()) {
        found.add(run.table().name() + ": " + run.check().difference());
      }
    }
    return found;
  }
}
