/**
 * HBase's Admin on tables with a layout. {@link io.evenkey.client.internal.admin.AdminRule} has for
 * each method of Admin whether it passes, is mapped or is refused; {@link
 * io.evenkey.client.internal.admin.AdminCalls} carries it out.
 */
@NullMarked
package io.evenkey.client.internal.admin;

import org.jspecify.annotations.NullMarked;
