/**
 * {@code evenkey bench}: Evenkey, plain HBase and naive fan-out alternate on one HBase in one run,
 * so that figures are ratios of the same machine at the same time. A class {@code …Side} is one of
 * the competitors, a {@code …Task} one measured operation. Comparisons of indexes have {@code
 * IndexSide}s and {@code IndexTask}s, on orders.
 */
@NullMarked
package io.evenkey.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
