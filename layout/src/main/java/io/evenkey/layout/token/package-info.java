/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads written lines token by token, and names the place of a mistake. Not exported: for Evenkey's
 * own parsers.
 */
@NullMarked
package io.evenkey.layout.token;

import org.jspecify.annotations.NullMarked;
