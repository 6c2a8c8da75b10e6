/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import io.evenkey.layout.bytes.ByteString;

/**
 * The count of an item.
 *
 * @param item a logical key, the beginning of one, or a hash in its place
 * @param estimate the count, about
 * @param lower at least this often, for certain
 * @param upper at most this often, for certain
 */
public record HotItem(ByteString item, long estimate, long lower, long upper) {}
