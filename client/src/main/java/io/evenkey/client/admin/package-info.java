/**
 * HBase's Admin on tables with a layout. {@link io.evenkey.client.admin.AdminRule} has for each
 * method of Admin whether it passes, is mapped or is refused; {@link
 * io.evenkey.client.admin.AdminCalls} carries it out.
 */
@NullMarked
package io.evenkey.client.admin;

import org.jspecify.annotations.NullMarked;
