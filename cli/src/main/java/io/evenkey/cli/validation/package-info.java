/**
 * Advice compared with an HBase: {@link io.evenkey.cli.validation.Validation} writes the sample
 * under each proposed layout and compares the predicted skew with the counters of region servers;
 * {@link io.evenkey.cli.validation.Calibration} measures the cost of a scan over buckets.
 */
@NullMarked
package io.evenkey.cli.validation;

import org.jspecify.annotations.NullMarked;
