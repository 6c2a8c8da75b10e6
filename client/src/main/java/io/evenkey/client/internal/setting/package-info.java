/**
 * The settings that a configuration of HBase's client may have for Evenkey, each declared once:
 * name, type, default and meaning. {@code docs/settings.md} is made of them.
 */
@NullMarked
package io.evenkey.client.internal.setting;

import org.jspecify.annotations.NullMarked;
