/**
 * The files that a new project begins with: a plan, the queries, and a Java program. {@link
 * io.evenkey.cli.starter.Requirements} say what they are made of, {@link
 * io.evenkey.cli.starter.FirstLayout} chooses a layout where no records can be measured, and {@link
 * io.evenkey.cli.starter.StarterFiles} writes.
 */
@NullMarked
package io.evenkey.cli.starter;

import org.jspecify.annotations.NullMarked;
