/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

/** The end of the process of a command, in the middle of what it does. */
final class Killed extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
