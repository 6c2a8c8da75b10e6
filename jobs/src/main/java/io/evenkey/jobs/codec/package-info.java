/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How blocks inside Parquet and Avro files are compressed: a {@link io.evenkey.jobs.codec.Codec} to
 * write with, and what the libraries of both formats need to read and write it without native code.
 */
@NullMarked
package io.evenkey.jobs.codec;

import org.jspecify.annotations.NullMarked;
