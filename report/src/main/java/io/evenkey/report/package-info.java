/**
 * What the command line and the portal both say, in one model with one JSON: {@code heat} measures
 * load, {@code sample} reads what advice is given on, {@code advice} draws it, {@code failure}
 * words errors, {@code json} has the documents. Both open HBase with {@code cluster}; commands
 * start a portal through {@code launch}, and print with {@code terminal}.
 */
@NullMarked
package io.evenkey.report;

import org.jspecify.annotations.NullMarked;
