/**
 * The tables that a connection knows: for each its layout, and the generation that clients use.
 *
 * <p>A {@link io.evenkey.client.internal.catalog.Catalog} belongs to one connection. The first use
 * of a table costs one Get, which a region server with the guard answers with the layout; without
 * the guard the descriptor or the registry is read. After that the catalog answers from memory. It
 * asks again when a region server refuses an operation. Checks of the descriptor and of stored rows
 * are optional: they run in the background, where the user's rights allow them, and no operation
 * waits for them.
 */
@NullMarked
package io.evenkey.client.internal.catalog;

import org.jspecify.annotations.NullMarked;
