/**
 * Calls of coprocessor endpoints on tables with a layout. {@link
 * io.evenkey.client.internal.coprocessor.CheckedChannel} refuses messages that contain row keys,
 * since those would be logical keys that the server does not know.
 */
@NullMarked
package io.evenkey.client.internal.coprocessor;

import org.jspecify.annotations.NullMarked;
