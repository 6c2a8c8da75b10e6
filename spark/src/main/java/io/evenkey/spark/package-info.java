/** A Spark program on a spread table: what to copy from. */
@NullMarked
package io.evenkey.spark;

import org.jspecify.annotations.NullMarked;
