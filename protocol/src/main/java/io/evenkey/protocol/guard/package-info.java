/**
 * The messages between clients and the guard of region servers: the stamp that requests carry, the
 * state that a table's descriptor holds, the answer to a client that asks, and refusals. Pure bytes
 * and text, so that the two sides may be of different versions of HBase.
 */
@NullMarked
package io.evenkey.protocol.guard;

import org.jspecify.annotations.NullMarked;
