/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.util.TimerTask;

/**
 * The task that HBase runs twenty minutes after a region server has begun to abort, also if it has
 * ended since then: nothing cancels the timer. HBase's own halts the process, which here is
 * everybody's. This one does nothing. HBase makes it by its name, with this constructor.
 */
final class StuckAbort extends TimerTask {
  StuckAbort() {}

  @Override
  public void run() {
    // The process goes on.
  }
}
