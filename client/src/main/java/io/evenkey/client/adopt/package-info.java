/**
 * Tables that exist already: what their rows look like, which layout that is, and its recording.
 *
 * <p>{@link io.evenkey.client.adopt.StoredRows} is a sample of a table's rows, {@link
 * io.evenkey.client.adopt.Fit} how a layout fits it, {@link io.evenkey.client.adopt.Recognition}
 * the layouts that do, and {@link io.evenkey.client.adopt.TableCheck} all statements about an
 * existing table's layout.
 */
@NullMarked
package io.evenkey.client.adopt;

import org.jspecify.annotations.NullMarked;
