/**
 * Samples for {@code advise}: {@link io.evenkey.app.advice.sample.RecordSample} from files of
 * records, {@link io.evenkey.app.advice.sample.TableSample} from an existing table.
 */
@NullMarked
package io.evenkey.app.advice.sample;

import org.jspecify.annotations.NullMarked;
