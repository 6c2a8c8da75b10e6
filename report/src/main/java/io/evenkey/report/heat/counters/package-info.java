/**
 * The load of regions at one moment, by HBase's own counters: a {@link
 * io.evenkey.report.heat.counters.Reading} has the counters of all regions of a table, {@link
 * io.evenkey.report.heat.counters.Skew} measures how uneven they are.
 */
@NullMarked
package io.evenkey.report.heat.counters;

import org.jspecify.annotations.NullMarked;
