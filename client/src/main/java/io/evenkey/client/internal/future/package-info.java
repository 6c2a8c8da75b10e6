/** Futures that fail as HBase's do: with the exception itself. */
@NullMarked
package io.evenkey.client.internal.future;

import org.jspecify.annotations.NullMarked;
