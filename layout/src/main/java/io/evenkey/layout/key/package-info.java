/**
 * Logical keys: the ordered concatenation of fields and literals that the application sees.
 *
 * <p>A {@link io.evenkey.layout.key.Key} consists of {@link io.evenkey.layout.key.Part}s. It
 * encodes values, finds every field again in the bytes, and turns the reversed parts round for
 * storage. It knows nothing of prefixes: those are a spread's.
 */
@NullMarked
package io.evenkey.layout.key;

import org.jspecify.annotations.NullMarked;
