/**
 * A model of live migrations, small enough to look at everything that can happen. {@link
 * io.evenkey.jobs.migration.model.MigrationModelIT} searches it; {@link
 * io.evenkey.jobs.migration.model.Rule} lists what the protocol consists of.
 */
@NullMarked
package io.evenkey.jobs.migration.model;

import org.jspecify.annotations.NullMarked;
