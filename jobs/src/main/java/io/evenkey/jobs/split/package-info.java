/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Split keys of a table that is filled from another one: {@link io.evenkey.jobs.split.TargetSplits}
 * cuts it between its buckets, or by a sample of the rows that {@link
 * io.evenkey.jobs.split.SampledRows} makes from those of the source. {@link
 * io.evenkey.jobs.split.RegionSplits} splits the regions of a table that is in use.
 */
@NullMarked
package io.evenkey.jobs.split;

import org.jspecify.annotations.NullMarked;
