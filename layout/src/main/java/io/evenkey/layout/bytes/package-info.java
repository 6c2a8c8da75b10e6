/**
 * Bytes as keys: growing them, comparing them, ranges of them, and showing them to people.
 *
 * <p>Keys are compared as HBase compares rows: byte by byte, each byte unsigned, a key before every
 * longer key that it begins.
 */
@NullMarked
package io.evenkey.layout.bytes;

import org.jspecify.annotations.NullMarked;
