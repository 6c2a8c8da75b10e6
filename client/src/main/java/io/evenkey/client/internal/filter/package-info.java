/**
 * HBase's filters on tables with a layout. {@link io.evenkey.client.internal.filter.FilterMapping}
 * maps a filter on logical keys to one on physical rows that passes the same rows and cells, or
 * rejects it with an error that names it.
 */
@NullMarked
package io.evenkey.client.internal.filter;

import org.jspecify.annotations.NullMarked;
