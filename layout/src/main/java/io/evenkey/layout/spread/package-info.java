/**
 * Spreads: how logical keys are moved apart so that neighbours land on different servers.
 *
 * <p>A {@link io.evenkey.layout.spread.Prefix} computes a few bytes from the logical key and puts
 * them in front; rows with the same prefix are a bucket and keep logical order inside it. A {@link
 * io.evenkey.layout.spread.Spread} is a prefix (or none) over a {@link io.evenkey.layout.key.Key}
 * whose reversed parts it also turns; it maps logical keys to physical rows and back, one to one.
 *
 * <p>A new prefix is one file here and one line in {@link io.evenkey.layout.spread.Prefixes}.
 */
@NullMarked
package io.evenkey.layout.spread;

import org.jspecify.annotations.NullMarked;
