/** Progress bars and shades on a terminal, and plain lines where output is piped. */
@NullMarked
package io.evenkey.app.terminal;

import org.jspecify.annotations.NullMarked;
