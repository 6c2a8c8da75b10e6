/** Futures that fail as HBase's do: with the exception itself. */
@NullMarked
package io.evenkey.client.future;

import org.jspecify.annotations.NullMarked;
