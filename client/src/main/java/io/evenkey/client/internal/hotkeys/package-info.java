/**
 * The keys that are read and written most. HBase counts by region. Region servers with Evenkey's
 * module count the keys of tables that are set to have them counted; {@link
 * io.evenkey.client.internal.hotkeys.ServerHotKeys} asks them. A client that is configured to
 * ({@link io.evenkey.client.internal.hotkeys.HotKeys}) keeps a sketch of its own operations by key,
 * and writes it to a table of Evenkey's at regular times.
 */
@NullMarked
package io.evenkey.client.internal.hotkeys;

import org.jspecify.annotations.NullMarked;
