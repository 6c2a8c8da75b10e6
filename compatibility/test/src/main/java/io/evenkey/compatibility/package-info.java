/** An application that the tests run on typical class paths of applications. */
@NullMarked
package io.evenkey.compatibility;

import org.jspecify.annotations.NullMarked;
