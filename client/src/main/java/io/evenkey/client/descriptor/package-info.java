/**
 * The layout in a table's descriptor, and the descriptors of new tables.
 *
 * <p>{@link io.evenkey.client.descriptor.TableLayout} reads and writes the layout as attributes of
 * a descriptor. {@link io.evenkey.client.descriptor.NewTable} is the descriptor and the split keys
 * of a table that is to be created, with the reason for each choice.
 */
@NullMarked
package io.evenkey.client.descriptor;

import org.jspecify.annotations.NullMarked;
