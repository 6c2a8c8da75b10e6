/** Phoenix in the comparisons of {@code evenkey bench}. */
@NullMarked
package io.evenkey.benchmarks.phoenix;

import org.jspecify.annotations.NullMarked;
