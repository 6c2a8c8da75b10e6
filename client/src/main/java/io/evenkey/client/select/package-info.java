/**
 * Reads by conditions on the fields of a key. A {@link io.evenkey.client.select.Selection} turns
 * conditions into the fewest key ranges and a filter for the rest, and gives {@link
 * io.evenkey.client.select.KeyedRow rows with their decoded fields}.
 */
@NullMarked
package io.evenkey.client.select;

import org.jspecify.annotations.NullMarked;
