/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import java.io.IOException;
import java.util.List;

/** One check. */
@FunctionalInterface
interface Check {
  /**
   * Makes it.
   *
   * @throws IOException if it could not be made, which is a finding too
   */
  List<CheckFinding> findings() throws IOException, InterruptedException;
}
