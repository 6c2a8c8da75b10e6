/**
 * Layouts that could serve the queries: keys of the columns in their conditions, each spread in
 * every way that makes sense.
 */
@NullMarked
package io.evenkey.advisor.candidate;

import org.jspecify.annotations.NullMarked;
