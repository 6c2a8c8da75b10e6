/** Rows crossing between the logical and the physical side, as views over HBase's own bytes. */
@NullMarked
package io.evenkey.client.row;

import org.jspecify.annotations.NullMarked;
