/**
 * Which generation of a table a client uses, and how an operation that a region server refuses is
 * repeated in the right one. A client keeps what it has learned until a server refuses it: at rest
 * this costs nothing.
 */
@NullMarked
package io.evenkey.client.route;

import org.jspecify.annotations.NullMarked;
