/**
 * Plans, migrations and indexes as JSON, the same for commands with {@code --json} and the portal's
 * responses.
 */
@NullMarked
package io.evenkey.app.json;

import org.jspecify.annotations.NullMarked;
