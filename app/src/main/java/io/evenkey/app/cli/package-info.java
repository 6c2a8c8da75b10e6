/**
 * The command line. Each command is one class {@code …Command}; a {@code …View} prints the result
 * of one on a terminal or as JSON.
 */
@NullMarked
package io.evenkey.app.cli;

import org.jspecify.annotations.NullMarked;
