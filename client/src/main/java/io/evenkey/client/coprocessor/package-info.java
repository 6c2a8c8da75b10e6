/** Calls of coprocessors on spread tables: what is in their messages is looked at. */
@NullMarked
package io.evenkey.client.coprocessor;

import org.jspecify.annotations.NullMarked;
