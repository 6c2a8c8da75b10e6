/** Programs that make files of the distribution while it is built. */
@NullMarked
package io.evenkey.dist;

import org.jspecify.annotations.NullMarked;
