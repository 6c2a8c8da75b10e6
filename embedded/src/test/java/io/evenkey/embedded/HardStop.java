/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.nio.file.Path;

/** A process that dies right after its writes were acknowledged, as by kill -9. */
final class HardStop {
  private HardStop() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedHBase hbase =
        EmbeddedHBase.in(Path.of(arguments[0])).servers(Integer.parseInt(arguments[1])).start();
    EmbeddedHBaseIT.write(hbase.connection(), Integer.parseInt(arguments[2]));
    Runtime.getRuntime().halt(137);
  }
}
