/**
 * The main job, shown: the same records under a naive and a spread layout, side by side, in a real
 * HBase.
 *
 * <p>{@link io.evenkey.app.demo.DemoPlan} decides what is compared, {@link
 * io.evenkey.app.demo.Demo} does it, {@link io.evenkey.app.demo.DemoReport} draws it.
 */
@NullMarked
package io.evenkey.app.demo;

import org.jspecify.annotations.NullMarked;
