/** HBase's own client interfaces on tables with a layout: their rows are the logical keys. */
@NullMarked
package io.evenkey.client.table;

import org.jspecify.annotations.NullMarked;
