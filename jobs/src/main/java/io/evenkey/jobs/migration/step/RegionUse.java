/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

/** The use of a region by the steps of a salt. */
public enum RegionUse {
  /** Rows of the present step or of later ones can be in it. */
  CURRENT,
  /** Only rows of earlier steps can be in it, and it has some. */
  EARLIER,
  /** Only rows of earlier steps can be in it, and it has none. */
  EMPTY
}
