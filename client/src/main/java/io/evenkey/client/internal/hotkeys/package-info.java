/**
 * The keys that are read and written most. HBase counts by region. Region servers with Evenkey's
 * module count the keys of tables that are set to have them counted; {@link
 * io.evenkey.client.internal.hotkeys.ServerHotKeys} asks them.
 */
@NullMarked
package io.evenkey.client.internal.hotkeys;

import org.jspecify.annotations.NullMarked;
