/**
 * Row keys by one line.
 *
 * <p>A {@link io.evenkey.layout.Layout} is made from a line such as {@code salt(16, device) +
 * device:string + ts:timestamp desc}. It says two things: how a record's fields make the
 * <em>logical key</em> that the application sees and sorts by, and how that key is <em>spread</em>
 * to make the <em>physical row</em> that HBase stores. Everything else follows from it: encoding,
 * decoding, the ranges that a read opens, and where the table is cut.
 *
 * <p>The packages in reading order: {@code text} (lines and their errors), {@code bytes} (keys and
 * ranges), {@code hash}, {@code field} (typed values), {@code key} (fields and literals in order),
 * {@code spread} (prefixes), {@code language} (the grammar), {@code scatter} (ranges to read),
 * {@code split} (region boundaries), {@code size} (the number of regions). {@code failure} has what
 * all exceptions share. {@code token}, {@code message} and {@code step} are for Evenkey's own
 * modules.
 */
@NullMarked
package io.evenkey.layout;

import org.jspecify.annotations.NullMarked;
