/** The grammar of layout lines. What a line means is in the packages of its parts. */
@NullMarked
package io.evenkey.layout.language;

import org.jspecify.annotations.NullMarked;
