/**
 * Plans and migrations as JSON, as commands print them with {@code --json} and the portal answers
 * them.
 */
@NullMarked
package io.evenkey.app.json;

import org.jspecify.annotations.NullMarked;
