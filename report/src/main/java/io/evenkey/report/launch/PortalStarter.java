/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.launch;

import io.evenkey.report.cluster.Cluster;
import java.io.IOException;

/** Starts a portal. */
@FunctionalInterface
public interface PortalStarter {
  /**
   * Starts a portal on a cluster. The caller closes the cluster.
   *
   * @throws IOException if it cannot listen, or the cluster does not answer
   */
  RunningPortal start(PortalSettings settings, Cluster cluster) throws IOException;
}
