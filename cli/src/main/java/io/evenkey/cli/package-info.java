/**
 * The command line. Each command is one class {@code …Command}; a {@code …View} prints a command's
 * result as text or JSON.
 */
@NullMarked
package io.evenkey.cli;

import org.jspecify.annotations.NullMarked;
