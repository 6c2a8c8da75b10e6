/**
 * Adoption of tables that exist already. {@link io.evenkey.client.internal.adopt.Recognition} finds
 * the layouts that a sample of stored rows fits, best first, as {@linkplain
 * io.evenkey.client.internal.adopt.Proposal proposals}.
 */
@NullMarked
package io.evenkey.client.internal.adopt;

import org.jspecify.annotations.NullMarked;
