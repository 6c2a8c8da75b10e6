/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.launch;

/** A portal that runs until closed. */
public interface RunningPortal extends AutoCloseable {
  /** The portal's address for browsers. */
  String url();

  @Override
  void close();
}
