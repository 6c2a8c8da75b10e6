/* SPDX-License-Identifier: Apache-2.0 */
/** Hooks that fail, on a real HBase. */
@NullMarked
package io.evenkey.server.hooks;

import org.jspecify.annotations.NullMarked;
