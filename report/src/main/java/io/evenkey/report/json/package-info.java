/**
 * Plans, migrations and indexes as JSON, the same for commands with {@code --json} and the portal's
 * responses.
 */
@NullMarked
package io.evenkey.report.json;

import org.jspecify.annotations.NullMarked;
