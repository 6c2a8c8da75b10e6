/**
 * The demonstration: the same records under a naive and a spread layout, side by side, in a real
 * HBase.
 *
 * <p>{@link io.evenkey.app.demo.DemoPlan} sets the parameters, {@link io.evenkey.app.demo.Demo}
 * runs the comparison, {@link io.evenkey.app.demo.DemoReport} prints it.
 */
@NullMarked
package io.evenkey.app.demo;

import org.jspecify.annotations.NullMarked;
