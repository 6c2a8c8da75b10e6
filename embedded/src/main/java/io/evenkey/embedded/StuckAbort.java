/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.util.TimerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The task that runs when a region server that aborts has not ended after twenty minutes. HBase
 * would halt the process, which here is everybody's. HBase makes it by its name, with this
 * constructor.
 */
final class StuckAbort extends TimerTask {
  private static final Logger LOG = LoggerFactory.getLogger(StuckAbort.class);

  StuckAbort() {}

  @Override
  public void run() {
    LOG.warn("a region server that was killed is still not gone");
  }
}
