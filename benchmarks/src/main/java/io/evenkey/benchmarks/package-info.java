/**
 * Evenkey measured beside what people use without it, in one run on one machine.
 *
 * <p>The tests of this module prove that adopted layouts give the very bytes of the systems they
 * come from, by those systems' own classes.
 */
@NullMarked
package io.evenkey.benchmarks;

import org.jspecify.annotations.NullMarked;
