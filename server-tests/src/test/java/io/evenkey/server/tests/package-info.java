/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The guard on a real HBase, by HBase's own requests. Not in the guard's own package, whose jar
 * says its version.
 */
@org.jspecify.annotations.NullMarked
package io.evenkey.server.tests;
