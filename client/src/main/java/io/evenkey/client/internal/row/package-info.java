/**
 * Rows mapped between logical and physical keys. {@link io.evenkey.client.internal.row.RowMapping}
 * maps operations one way and results the other. Cells are views over HBase's own bytes, so values
 * are not copied.
 */
@NullMarked
package io.evenkey.client.internal.row;

import org.jspecify.annotations.NullMarked;
