/** An application that is run on the class paths that applications have. */
@NullMarked
package io.evenkey.compatibility;

import org.jspecify.annotations.NullMarked;
