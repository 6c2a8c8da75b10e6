/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The other clusters of a replicated table, which is migrated on each of them: by a migration of
 * its own there, which copies and compares as any other does. The clusters have to agree only on
 * when each changes generations; decision 22 says why. {@link
 * io.evenkey.jobs.migration.cluster.ReplicatedTable} finds the peers and what keeps the table from
 * being migrated with them; a {@link io.evenkey.jobs.migration.cluster.Coordination} waits for the
 * other clusters' stages.
 */
@NullMarked
package io.evenkey.jobs.migration.cluster;

import org.jspecify.annotations.NullMarked;
