/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The life of indexes, by the protocol of docs/decisions/0015-indexes.md.
 *
 * <p>{@link io.evenkey.jobs.index.IndexAddition} adds an index to a live table: clients write its
 * entries first, then {@code IndexFilling} writes those of earlier rows, and when {@link
 * io.evenkey.jobs.index.IndexVerification} has found none missing, clients may read it. A
 * verification can also repair: it writes missing entries, and collects and removes those without
 * rows ({@code StaleEntries}), as a sweep does. {@link io.evenkey.jobs.index.IndexAdoption} takes
 * over a restored index, {@link io.evenkey.jobs.index.IndexRemoval} drops one. Each of them holds
 * an {@code IndexControl}, which locks the table and changes its indexes in the registry, in the
 * descriptor and in all regions. All of it can be repeated after it was killed.
 */
@NullMarked
package io.evenkey.jobs.index;

import org.jspecify.annotations.NullMarked;
