/** Records in arrival order: from CSV files, or from the TPC-H order stream. */
@NullMarked
package io.evenkey.jobs.input;

import org.jspecify.annotations.NullMarked;
