/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.layout.Layout;
import picocli.CommandLine.Parameters;

/** The layout line, the first argument of most commands. */
final class LayoutArgument {
  @Parameters(
      index = "0",
      paramLabel = "LAYOUT",
      description = "The layout line, such as 'salt(16) + device:string + ts:timestamp desc'.")
  private String line = "";

  Layout layout() {
    return Layout.parse(line);
  }
}
