/** Where the load of a table falls, by HBase's own counters. */
@NullMarked
package io.evenkey.app.heat;

import org.jspecify.annotations.NullMarked;
