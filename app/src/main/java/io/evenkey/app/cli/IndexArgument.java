/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import picocli.CommandLine.Parameters;

/** The index, the second argument of the commands on one. */
final class IndexArgument {
  @Parameters(
      index = "1",
      paramLabel = "INDEX",
      description = "The name of the index: letters, digits and '_'.")
  private String name = "";

  /** The name. */
  String name() {
    return name;
  }
}
