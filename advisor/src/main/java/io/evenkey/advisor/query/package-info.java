/** The workload of a table: queries with weights, and the load. */
@NullMarked
package io.evenkey.advisor.query;

import org.jspecify.annotations.NullMarked;
