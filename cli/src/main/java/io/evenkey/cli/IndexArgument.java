/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A table and an index of it, the first arguments of the commands on one. */
final class IndexArgument {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "The table: NAME, or NAMESPACE:NAME.")
  private String table = "";

  @Parameters(
      index = "1",
      paramLabel = "INDEX",
      description = "The name of the index: letters, digits and '_'.")
  private String name = "";

  /**
   * The table's name.
   *
   * @throws picocli.CommandLine.ParameterException if HBase does not accept it
   */
  TableName table() {
    return UsageErrors.tableName(command, table);
  }

  /** The index's name. */
  String name() {
    return name;
  }
}
