/**
 * Rows mapped between logical and physical keys. {@link io.evenkey.client.internal.row.RowMapping}
 * maps requests, and {@link io.evenkey.client.internal.row.LogicalResults} their answers. Cells are
 * views over HBase's own bytes, so values are not copied.
 */
@NullMarked
package io.evenkey.client.internal.row;

import org.jspecify.annotations.NullMarked;
