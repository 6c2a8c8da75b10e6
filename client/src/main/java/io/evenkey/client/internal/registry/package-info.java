/**
 * Plans, recorded layouts and migrations, which are stored in ZooKeeper.
 *
 * <p>A {@link io.evenkey.client.plan.Plan} says how a table is to be created. It belongs to a
 * {@link io.evenkey.client.internal.registry.Scope}: one table, or a namespace, whose plan fills
 * what its tables' plans leave open. A {@link io.evenkey.client.internal.registry.LayoutRecord} is
 * the registry's record of an existing table's layout. The descriptor decides; the record shows
 * that a descriptor was changed without Evenkey. A {@link
 * io.evenkey.client.internal.registry.Migration} is the state of a table's last migration.
 *
 * <p>Every value is stored under the version that was read, so that a concurrent change is refused
 * and not overwritten.
 */
@NullMarked
package io.evenkey.client.internal.registry;

import org.jspecify.annotations.NullMarked;
