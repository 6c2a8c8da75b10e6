/**
 * The client's side of the guard, a coprocessor of region servers. {@link
 * io.evenkey.client.internal.guard.GuardQuestion} asks a region for its state by a Get with an
 * attribute; {@link io.evenkey.client.internal.guard.TableGuard} is the guard's state in a table's
 * descriptor.
 */
@NullMarked
package io.evenkey.client.internal.guard;

import org.jspecify.annotations.NullMarked;
