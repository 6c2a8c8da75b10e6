/**
 * The load of the key space over time.
 *
 * <p>A {@link io.evenkey.app.heat.history.Recorder} takes readings at regular times and makes a
 * {@code HeatColumn} of two successive ones: for each key span its rates. A {@link
 * io.evenkey.app.heat.history.History} keeps columns in layers, the coarser the older, and {@code
 * HistoryTable} stores them in a spread table. A {@code MatrixBuilder} cuts a {@link
 * io.evenkey.app.heat.history.HeatMatrix} out of it for a page, and {@code Diagnosis} finds hot
 * spans.
 */
@NullMarked
package io.evenkey.app.heat.history;

import org.jspecify.annotations.NullMarked;
