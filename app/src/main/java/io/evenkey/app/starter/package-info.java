/**
 * The files that a new project begins with: a plan, the queries, and a Java program. {@link
 * io.evenkey.app.starter.Requirements} say what they are made of, {@link
 * io.evenkey.app.starter.FirstLayout} chooses a layout where no records can be measured, and {@link
 * io.evenkey.app.starter.StarterFiles} writes.
 */
@NullMarked
package io.evenkey.app.starter;

import org.jspecify.annotations.NullMarked;
