/**
 * Samples for {@code advise}: {@link io.evenkey.report.sample.RecordSample} from files of records,
 * {@link io.evenkey.report.sample.TableSample} from an existing table.
 */
@NullMarked
package io.evenkey.report.sample;

import org.jspecify.annotations.NullMarked;
