/**
 * What people watch: progress, bars and shades in the terminal, plain lines where there is none.
 */
@NullMarked
package io.evenkey.app.terminal;

import org.jspecify.annotations.NullMarked;
