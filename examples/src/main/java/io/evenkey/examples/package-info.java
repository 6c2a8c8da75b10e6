/** Small programs that show one thing each. */
@NullMarked
package io.evenkey.examples;

import org.jspecify.annotations.NullMarked;
