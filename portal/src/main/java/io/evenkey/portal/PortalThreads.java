/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the process alive. Stateless. */
final class PortalThreads {
  private PortalThreads() {}

  /** Makes threads of this name. */
  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
