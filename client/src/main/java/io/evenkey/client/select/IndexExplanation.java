/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

/**
 * The way in which an {@link IndexSelection} would be read now. Immutable.
 *
 * @param index the name of the index
 * @param entries how its entries would be read
 * @param batch the largest number of entries whose rows are read together
 */
public record IndexExplanation(String index, SelectionExplanation entries, int batch) {}
