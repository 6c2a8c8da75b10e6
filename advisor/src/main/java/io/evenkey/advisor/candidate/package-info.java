/**
 * Layouts that could serve the queries: keys made of what they ask for, each spread in every way
 * that makes sense.
 */
@NullMarked
package io.evenkey.advisor.candidate;

import org.jspecify.annotations.NullMarked;
