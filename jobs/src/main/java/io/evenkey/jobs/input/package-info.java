/**
 * Records in arrival order, of files and streams of comma- or tab-separated values with a header,
 * or of one JSON object a line; unpacked if they are gzip or Zstandard.
 */
@NullMarked
package io.evenkey.jobs.input;

import org.jspecify.annotations.NullMarked;
