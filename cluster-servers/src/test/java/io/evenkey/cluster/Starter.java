/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A program that starts a small cluster and has no time to close it. */
final class Starter {
  private Starter() {}

  /** Prints a line when the cluster is ready, and waits to be killed. */
  public static void main(String[] arguments) throws Exception {
    SeparateCluster.start(
        Path.of(arguments[0]),
        ClusterOptions.defaults().withRegionServers(1).withYarn(false).keepingLogs());
    System.out.println("ready");
    new CountDownLatch(1).await();
  }
}
