/**
 * The guard of region servers, as clients and migrations see it: a question is a Get with an
 * attribute; the state that regions act by is in the table's descriptor.
 */
@NullMarked
package io.evenkey.client.guard;

import org.jspecify.annotations.NullMarked;
