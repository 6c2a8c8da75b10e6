/**
 * What tests of seeded schedules share: the seeds that they run, commands that are interrupted at
 * any moment, and faults of regions and their servers.
 */
@NullMarked
package io.evenkey.jobs.schedule;

import org.jspecify.annotations.NullMarked;
