/**
 * What is wrong with text that people write: a {@link io.evenkey.layout.text.SyntaxException} shows
 * the line with a caret under the {@linkplain io.evenkey.layout.text.Span place}, and every {@link
 * io.evenkey.layout.text.LayoutException} is a complete message.
 */
@NullMarked
package io.evenkey.layout.text;

import org.jspecify.annotations.NullMarked;
