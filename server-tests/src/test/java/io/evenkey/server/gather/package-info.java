/* SPDX-License-Identifier: Apache-2.0 */
/** The gather of region servers, on a real HBase, by HBase's own requests. */
@NullMarked
package io.evenkey.server.gather;

import org.jspecify.annotations.NullMarked;
