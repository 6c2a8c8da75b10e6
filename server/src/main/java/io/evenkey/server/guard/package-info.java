/**
 * The guard: a region coprocessor that refuses requests which were made under another layout, or
 * another stage of a migration, than that of the table.
 *
 * <p>A table's descriptor says what holds ({@link io.evenkey.server.guard.TableText}), {@link
 * io.evenkey.server.guard.TableRules} decide by it, {@link io.evenkey.server.guard.Gate} changes
 * the rules of an open region and knows which writes still go by the earlier ones, and {@link
 * io.evenkey.server.guard.LayoutGuard} connects this to the hooks of HBase. {@link
 * io.evenkey.server.guard.DescriptorGuard} does its part in the master.
 */
@NullMarked
package io.evenkey.server.guard;

import org.jspecify.annotations.NullMarked;
