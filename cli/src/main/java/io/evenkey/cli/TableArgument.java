/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The table, the first argument of most commands. */
final class TableArgument {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "The table: NAME, or NAMESPACE:NAME.")
  private String name = "";

  /**
   * Its name.
   *
   * @throws picocli.CommandLine.ParameterException if HBase does not accept the name
   */
  TableName table() {
    return UsageErrors.tableName(command, name);
  }
}
