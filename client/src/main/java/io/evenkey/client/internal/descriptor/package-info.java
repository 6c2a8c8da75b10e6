/**
 * The layout and the indexes in a table's descriptor: {@link
 * io.evenkey.client.internal.descriptor.TableLayout} reads and writes them as attributes.
 */
@NullMarked
package io.evenkey.client.internal.descriptor;

import org.jspecify.annotations.NullMarked;
