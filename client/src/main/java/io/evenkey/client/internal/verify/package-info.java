/**
 * Checks of an existing table's layout. {@link io.evenkey.client.internal.verify.TableCheck}
 * compares the layout in the descriptor, the one in the registry, and a sample of {@linkplain
 * io.evenkey.client.internal.verify.StoredRows stored rows}; {@link
 * io.evenkey.client.internal.verify.FittingRows} counts how many of the rows a layout decodes.
 */
@NullMarked
package io.evenkey.client.internal.verify;

import org.jspecify.annotations.NullMarked;
