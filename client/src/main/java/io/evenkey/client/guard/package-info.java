/**
 * The client's side of the guard, a coprocessor of region servers. {@link
 * io.evenkey.client.guard.GuardQuestion} asks a region for its state by a Get with an attribute;
 * {@link io.evenkey.client.guard.TableGuard} is the guard's state in a table's descriptor.
 */
@NullMarked
package io.evenkey.client.guard;

import org.jspecify.annotations.NullMarked;
