/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The names of the tables that Evenkey makes for a table: its generations and those of its indexes.
 */
@NullMarked
package io.evenkey.protocol.naming;

import org.jspecify.annotations.NullMarked;
