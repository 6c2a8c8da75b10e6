/**
 * What tests of seeded schedules share: the seeds that they run, commands that are interrupted at
 * any moment, clients in processes of their own, and faults of regions and their servers.
 */
@NullMarked
package io.evenkey.jobs.schedule;

import org.jspecify.annotations.NullMarked;
