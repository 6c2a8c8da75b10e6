/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

/** The names of the coprocessors' classes, which HBase's settings and table descriptors hold. */
public final class GuardClasses {
  /** The coprocessor of regions. */
  public static final String REGION = "io.evenkey.server.guard.LayoutGuard";

  /** The coprocessor of the master. */
  public static final String MASTER = "io.evenkey.server.guard.DescriptorGuard";

  private GuardClasses() {}

  /**
   * Whether a list of coprocessors has one of these.
   *
   * @param reported names as servers report them, without packages, or with
   */
  public static boolean isIn(Iterable<String> reported, String guard) {
    String simple = guard.substring(guard.lastIndexOf('.') + 1);
    for (String name : reported) {
      if (name.equals(simple) || name.equals(guard)) {
        return true;
      }
    }
    return false;
  }
}
