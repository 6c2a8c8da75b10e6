/** The one runnable of Evenkey. Package {@code cli} is its command line, one file a command. */
@NullMarked
package io.evenkey.app;

import org.jspecify.annotations.NullMarked;
