/**
 * What a client does while a table is moved from one generation to the next: which of them it
 * reads, and how it writes both so that they stay alike. The protocol and why it is so is in
 * docs/decisions/0012.
 */
@NullMarked
package io.evenkey.client.move;

import org.jspecify.annotations.NullMarked;
