/**
 * A model of an index that clients maintain, small enough to look at everything that can happen to
 * one or two rows. {@link io.evenkey.client.internal.index.model.IndexModelIT} searches it; {@link
 * io.evenkey.client.internal.index.model.Rule} lists what the two protocols consist of.
 */
@NullMarked
package io.evenkey.client.internal.index.model;

import org.jspecify.annotations.NullMarked;
