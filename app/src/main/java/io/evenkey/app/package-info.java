/**
 * The program {@code evenkey}: {@code cli} has its commands, {@code portal} its web pages. The
 * other packages are used by both: {@code heat} measures load, {@code advice} draws and validates
 * advice, {@code demo} runs on a real HBase, {@code failure} words errors.
 */
@NullMarked
package io.evenkey.app;

import org.jspecify.annotations.NullMarked;
