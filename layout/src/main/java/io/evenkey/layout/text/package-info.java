/**
 * Text that people write and the errors they read: tokens, positions, carets and suggestions.
 *
 * <p>Both languages, layout lines and {@code where} conditions, are read through one {@link
 * io.evenkey.layout.text.Cursor} and complain through one {@link
 * io.evenkey.layout.text.SyntaxException}.
 */
@NullMarked
package io.evenkey.layout.text;

import org.jspecify.annotations.NullMarked;
