/**
 * What is planned for tables, and what is in force, kept in ZooKeeper.
 *
 * <p>A {@link io.evenkey.client.registry.Plan} says how a table is to be created. It belongs to a
 * {@link io.evenkey.client.registry.Scope}: one table, or a namespace, whose plan fills what its
 * tables' plans leave open. A {@link io.evenkey.client.registry.Registry} keeps them. Nobody
 * overwrites what he has not seen: whoever stores a plan names the version that he has read.
 *
 * <p>The truth about existing tables is in their descriptors; the registry has a second record of
 * it, so that a table whose descriptor was changed behind everybody's back is noticed.
 */
@NullMarked
package io.evenkey.client.registry;

import org.jspecify.annotations.NullMarked;
