/** Amounts in words, progress bars and shades on a terminal, and plain lines for piped output. */
@NullMarked
package io.evenkey.report.terminal;

import org.jspecify.annotations.NullMarked;
