/** Gather: k ordered streams of rows become one, in logical order. */
@NullMarked
package io.evenkey.client.gather;

import org.jspecify.annotations.NullMarked;
