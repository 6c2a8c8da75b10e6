/**
 * The demonstration: the same records under a naive and a spread layout, side by side, in a real
 * HBase.
 *
 * <p>{@link io.evenkey.cli.demo.DemoPlan} sets the parameters, {@link io.evenkey.cli.demo.Demo}
 * runs the comparison, {@link io.evenkey.cli.demo.DemoReport} prints it.
 */
@NullMarked
package io.evenkey.cli.demo;

import org.jspecify.annotations.NullMarked;
