/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The main class of each process of a cluster: it runs a server's {@code main}, and ends the
 * cluster when the process that started it is gone.
 *
 * <p>The standard input is a pipe from that process. Its end is reached when the process closes the
 * pipe or ends in any way, SIGKILL included. The child then kills all other processes of the
 * cluster, since one of them may be stopped by a signal and not notice, and itself. A child of a
 * cluster that stays has no such pipe.
 */
final class Child {
  /** System property: the cluster's directory. It also marks the process as one of the cluster. */
  static final String DIRECTORY = "evenkey.cluster.directory";

  /** System property: set in a child that ends with its parent. */
  static final String BOUND = "evenkey.cluster.bound";

  private Child() {}

  /**
   * Runs a server.
   *
   * @param arguments the class whose {@code main} is run, and that one's arguments
   */
  public static void main(String[] arguments) throws Throwable {
    if (Boolean.getBoolean(BOUND)) {
      Thread watch = new Thread(Child::endWithParent, "evenkey-parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
    String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is sent.
      }
    } catch (IOException e) {
      // The same: there is no parent.
    }
    new Processes(Path.of(System.getProperty(DIRECTORY)))
        .running()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(1);
  }
}
