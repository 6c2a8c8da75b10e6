/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster.command;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code evenkey cluster}. */
@Command(
    name = "cluster",
    header = "Run a real cluster on this machine: HDFS, ZooKeeper, HBase and YARN.",
    description = {
      "",
      "Each server is a separate process, as on a real cluster, and can be killed or paused on "
          + "its own. Use it to try Evenkey, migrations under failures and jobs on YARN; 'evenkey dev' "
          + "is smaller and starts faster.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey cluster up",
      "  evenkey plan readings --layout 'salt(12) + id:string' --conf evenkey-cluster/conf",
      "  evenkey cluster down"
    },
    synopsisSubcommandLabel = "COMMAND")
final class ClusterCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Reports the missing subcommand and lists the available ones. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }
}
