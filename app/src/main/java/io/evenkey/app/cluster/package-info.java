/** The cluster that commands and pages work on. */
@NullMarked
package io.evenkey.app.cluster;

import org.jspecify.annotations.NullMarked;
