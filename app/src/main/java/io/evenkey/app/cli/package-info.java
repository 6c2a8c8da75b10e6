/** The command line: one file a command, and what they share. */
@NullMarked
package io.evenkey.app.cli;

import org.jspecify.annotations.NullMarked;
