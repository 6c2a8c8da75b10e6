/** The trace spans of operations that are several of HBase's. */
@NullMarked
package io.evenkey.client.trace;

import org.jspecify.annotations.NullMarked;
