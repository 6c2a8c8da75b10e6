/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What all hooks of coprocessors go through ({@link io.evenkey.server.hooks.Hooks}): whatever
 * happens in one, the server goes on, and the request fails.
 */
@NullMarked
package io.evenkey.server.hooks;

import org.jspecify.annotations.NullMarked;
