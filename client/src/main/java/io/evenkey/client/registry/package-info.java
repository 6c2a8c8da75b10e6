/**
 * What is planned for tables, and what is in force, kept in ZooKeeper.
 *
 * <p>A {@link io.evenkey.client.registry.Plan} says how a table is to be created. It belongs to a
 * {@link io.evenkey.client.registry.Scope}: one table, or a namespace, whose plan fills what its
 * tables' plans leave open. A {@link io.evenkey.client.registry.Registry} keeps them. A plan is
 * stored with the number of the version that was read, so that none is overwritten unseen.
 *
 * <p>The truth about existing tables is in their descriptors; the registry has a second record of
 * it, so that a table whose descriptor was changed past Evenkey is noticed.
 */
@NullMarked
package io.evenkey.client.registry;

import org.jspecify.annotations.NullMarked;
