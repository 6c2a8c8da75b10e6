/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The number of region servers that a command starts. */
public final class ServersOption {
  /** The most region servers: each takes memory and threads of this process. */
  private static final int MOST = 20;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  private int servers = 3;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of region servers (default ${DEFAULT-VALUE}).")
  void set(int count) {
    if (count < 1 || count > MOST) {
      throw new ParameterException(
          command.commandLine(),
          "number of region servers out of range: --servers " + count + "; expected 1 to " + MOST);
    }
    servers = count;
  }

  /** The number, 3 unless given. */
  public int count() {
    return servers;
  }
}
