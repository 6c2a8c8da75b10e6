package io.evenkey.app.portal.launch;

import io.evenkey.app.cluster.Cluster;
import java.io.IOException;

/** Starts a portal. */
@FunctionalInterface
public interface PortalStarter {
  /**
   * Starts one on a cluster that stays its owner's.
   *
   * @throws IOException if it cannot listen, or the cluster does not answer
   */
  RunningPortal start(PortalSettings settings, Cluster cluster) throws IOException;
}
