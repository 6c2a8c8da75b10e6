/**
 * The generation of a table that an operation goes to.
 *
 * <p>A {@link io.evenkey.client.internal.route.Route} keeps the generation that this client has
 * used last. A region server refuses an operation that does not belong to its generation; the route
 * then finds the new generation and repeats the operation there. At rest this costs no request.
 */
@NullMarked
package io.evenkey.client.internal.route;

import org.jspecify.annotations.NullMarked;
