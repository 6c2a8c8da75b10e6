/**
 * What the command line and the portal both say, in one model with one JSON: {@code heat} measures
 * load, {@code advice} draws advice, {@code failure} words errors, {@code json} has the documents.
 */
@NullMarked
package io.evenkey.report;

import org.jspecify.annotations.NullMarked;
