/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A step of a salt that a table gets while it is used: {@link
 * io.evenkey.jobs.migration.step.StepRows} finds the rows that stand in its way, {@link
 * io.evenkey.jobs.migration.step.StepProposal} the earliest value at which none does, and {@link
 * io.evenkey.jobs.migration.step.StepRegions} makes regions for the buckets that it adds. When the
 * rows before it have expired, {@link io.evenkey.jobs.migration.step.RegionUses} finds the regions
 * that it has left empty, and {@link io.evenkey.jobs.migration.step.RegionMerges} merges them.
 */
@NullMarked
package io.evenkey.jobs.migration.step;

import org.jspecify.annotations.NullMarked;
