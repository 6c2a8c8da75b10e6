/**
 * The settings of the portal and its start, for commands, which do not depend on the portal's
 * packages.
 */
@NullMarked
package io.evenkey.report.launch;

import org.jspecify.annotations.NullMarked;
