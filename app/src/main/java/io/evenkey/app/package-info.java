/** The program {@code evenkey}: the command line, with the portal that some commands start. */
@NullMarked
package io.evenkey.app;

import org.jspecify.annotations.NullMarked;
