/**
 * The most frequent keys of a table: counts with bounds ({@link
 * io.evenkey.layout.hotkeys.HotItems}), and the messages by which a client asks region servers for
 * theirs. {@link io.evenkey.layout.hotkeys.HotKeySetting} in a table's descriptor has the servers
 * count; a {@link io.evenkey.layout.hotkeys.HotKeyQuestion} asks one region, which answers with a
 * {@link io.evenkey.layout.hotkeys.HotKeyAnswer}. Pure Java, for clients and region servers.
 */
@NullMarked
package io.evenkey.layout.hotkeys;

import org.jspecify.annotations.NullMarked;
