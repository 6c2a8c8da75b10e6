/**
 * The load of regions at one moment, by HBase's own counters: a {@link
 * io.evenkey.app.heat.counters.Reading} has the counters of all regions of a table, {@link
 * io.evenkey.app.heat.counters.Skew} measures how uneven they are.
 */
@NullMarked
package io.evenkey.app.heat.counters;

import org.jspecify.annotations.NullMarked;
