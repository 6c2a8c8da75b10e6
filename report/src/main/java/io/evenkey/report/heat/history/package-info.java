/**
 * The load of the key space over time.
 *
 * <p>A {@link io.evenkey.report.heat.history.Recorder} takes readings at regular intervals and
 * computes a {@code HeatColumn} from two successive ones: the rates of each key span. A {@link
 * io.evenkey.report.heat.history.History} keeps columns in layers, older layers coarser, and {@code
 * HistoryTable} stores them in a spread table. A {@code MatrixBuilder} builds a {@link
 * io.evenkey.report.heat.history.HeatMatrix} out of it for a page, and {@code Diagnosis} finds hot
 * spans.
 */
@NullMarked
package io.evenkey.report.heat.history;

import org.jspecify.annotations.NullMarked;
